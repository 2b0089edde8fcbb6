/**
 * Where the shape of a kind of token was read, and when: `gitleaks` is config/gitleaks.toml of github.com/gitleaks/gitleaks at
 * 09242ce9c8a60d9b051fc2d166f9e849b88c7ac0, with the ids of its rules. Without a source, only its first samples are known.
 */
export interface TokenSource {
  readonly source?: string;
  /** The day on which row and source were compared, as in `2026-11-29`. */
  readonly readOn?: string;
}

/** The sources, by the names of `token-prefixes.ts`. */
export const TOKEN_SOURCES: Readonly<Record<string, TokenSource>> = {
  "OpenAI key": { source: "gitleaks: openai-api-key", readOn: "2026-11-29" },
  "Anthropic key": {
    source: "gitleaks: anthropic-admin-api-key, anthropic-api-key",
    readOn: "2026-11-29",
  },
  "OpenRouter, Langfuse key": {},
  "key of the sk- family": {
    source: "gitleaks: anthropic-admin-api-key, anthropic-api-key, openai-api-key",
    readOn: "2026-11-29",
  },
  "key of the sk_ family": {},
  "Google API key": { source: "gitleaks: gcp-api-key", readOn: "2026-11-29" },
  "Google API key since 2026": {
    source: "https://github.com/gethouston/houston/issues/1333",
    readOn: "2026-11-28",
  },
  "Google access token": {},
  "Google refresh token": {},
  "Google client secret": {},
  "AWS key id": { source: "gitleaks: aws-access-token", readOn: "2026-11-29" },
  "AWS session token": {},
  "AWS Bedrock key": {
    source:
      "gitleaks: aws-amazon-bedrock-api-key-long-lived, aws-amazon-bedrock-api-key-short-lived",
    readOn: "2026-11-29",
  },
  "GitHub token": {
    source: "gitleaks: github-app-token, github-oauth, github-pat, github-refresh-token",
    readOn: "2026-11-29",
  },
  "GitHub fine-grained token": {
    source: "gitleaks: github-fine-grained-pat",
    readOn: "2026-11-29",
  },
  "GitLab token": {
    source:
      "gitleaks: gitlab-cicd-job-token, gitlab-deploy-token, gitlab-feature-flag-client-token, gitlab-feed-token, …",
    readOn: "2026-11-29",
  },
  "Slack cookie": {},
  "Slack token": {
    source:
      "gitleaks: slack-bot-token, slack-config-access-token, slack-config-refresh-token, slack-legacy-bot-token, …",
    readOn: "2026-11-29",
  },
  "Slack app token": { source: "gitleaks: slack-app-token", readOn: "2026-11-29" },
  "Stripe key": {
    source: "gitleaks: duffel-api-token, shippo-api-token, stripe-access-token",
    readOn: "2026-11-29",
  },
  "Stripe webhook secret": {},
  "Twilio key or account": { source: "gitleaks: twilio-api-key", readOn: "2026-11-29" },
  "SendGrid key": { source: "gitleaks: sendgrid-api-token", readOn: "2026-11-29" },
  "Mailgun key": {
    source: "gitleaks: mailgun-private-api-token, mailgun-pub-key",
    readOn: "2026-11-29",
  },
  "Brevo key": { source: "gitleaks: sendinblue-api-token", readOn: "2026-11-29" },
  "Resend key": {},
  "npm token": { source: "gitleaks: npm-access-token", readOn: "2026-11-29" },
  "PyPI token": { source: "gitleaks: pypi-upload-token", readOn: "2026-11-29" },
  "RubyGems key": { source: "gitleaks: rubygems-api-token", readOn: "2026-11-29" },
  "Docker token": {},
  "Hugging Face token": {
    source: "gitleaks: huggingface-access-token, huggingface-organization-api-token",
    readOn: "2026-11-29",
  },
  "Groq, xAI, Replicate key": {},
  "NVIDIA key": {},
  "Perplexity, Tavily, Pinecone key": {
    source: "gitleaks: perplexity-api-key",
    readOn: "2026-11-29",
  },
  "LangSmith key": {},
  "DigitalOcean token": {
    source: "gitleaks: digitalocean-access-token, digitalocean-pat, digitalocean-refresh-token",
    readOn: "2026-11-29",
  },
  "Shopify token": {
    source:
      "gitleaks: shopify-access-token, shopify-custom-access-token, shopify-private-app-access-token, shopify-shared-secret",
    readOn: "2026-11-29",
  },
  "Square token": { source: "gitleaks: square-access-token", readOn: "2026-11-29" },
  "Square access token": { source: "gitleaks: square-access-token", readOn: "2026-11-29" },
  "Facebook app token": { source: "gitleaks: facebook-access-token", readOn: "2026-11-29" },
  "Square or Facebook access token": {
    source: "gitleaks: facebook-page-access-token",
    readOn: "2026-11-29",
  },
  "Telegram bot token": { source: "gitleaks: telegram-bot-api-token", readOn: "2026-11-29" },
  "Discord bot token": {},
  "HashiCorp Vault token": {
    source: "gitleaks: vault-batch-token, vault-service-token",
    readOn: "2026-11-29",
  },
  "Terraform Cloud token": { source: "gitleaks: hashicorp-tf-api-token", readOn: "2026-11-29" },
  "Databricks token": { source: "gitleaks: databricks-api-token", readOn: "2026-11-29" },
  "Linear key": { source: "gitleaks: linear-api-key", readOn: "2026-11-29" },
  "Notion token": { source: "gitleaks: notion-api-token", readOn: "2026-11-29" },
  "Notion token, older": {},
  "Airtable token": { source: "gitleaks: airtable-personnal-access-token", readOn: "2026-11-29" },
  "HubSpot token": {},
  "Figma token": {},
  "Atlassian token": { source: "gitleaks: atlassian-api-token", readOn: "2026-11-29" },
  "Postman key": { source: "gitleaks: postman-api-token", readOn: "2026-11-29" },
  "New Relic key": {
    source: "gitleaks: new-relic-browser-api-token, new-relic-insert-key, new-relic-user-api-key",
    readOn: "2026-11-29",
  },
  "Grafana token": {
    source: "gitleaks: grafana-cloud-api-token, grafana-service-account-token",
    readOn: "2026-11-29",
  },
  "Sentry token": { source: "gitleaks: sentry-org-token, sentry-user-token", readOn: "2026-11-29" },
  "Dynatrace token": { source: "gitleaks: dynatrace-api-token", readOn: "2026-11-29" },
  "Doppler token": { source: "gitleaks: doppler-api-token", readOn: "2026-11-29" },
  "Supabase key": {},
  "PlanetScale secret": {
    source: "gitleaks: planetscale-api-token, planetscale-oauth-token, planetscale-password",
    readOn: "2026-11-29",
  },
  "Netlify, CircleCI, Buildkite token": {},
  "Fly.io token": { source: "gitleaks: flyio-access-token", readOn: "2026-11-29" },
  "1Password service token": {
    source: "gitleaks: 1password-service-account-token",
    readOn: "2026-11-29",
  },
  "age secret key": { source: "gitleaks: age-secret-key", readOn: "2026-11-29" },
  "JSON web token": { source: "gitleaks: jwt", readOn: "2026-11-29" },
  "head of a JSON web token": {
    source: "RFC 7515, in the base64 of RFC 4648",
    readOn: "2026-11-29",
  },
  "Cloudflare token": {
    source: "https://developers.cloudflare.com/fundamentals/api/get-started/token-formats",
    readOn: "2026-11-29",
  },
  "Cloudflare origin key": { source: "gitleaks: cloudflare-origin-ca-key", readOn: "2026-11-29" },
  "Vercel token": {},
  "Neon key": {},
  "Together key": {},
  "Tailscale key": {},
  "Heroku key": { source: "gitleaks: heroku-api-key-v2", readOn: "2026-11-29" },
  "Plaid token": { source: "gitleaks: plaid-api-token", readOn: "2026-11-29" },
  "Sonar token": { source: "gitleaks: sonar-api-token", readOn: "2026-11-29" },
  "JFrog key": {
    source: "gitleaks: artifactory-api-key, artifactory-reference-token",
    readOn: "2026-11-29",
  },
  "1Password secret key": { source: "gitleaks: 1password-secret-key", readOn: "2026-11-29" },
  "Adobe client secret": { source: "gitleaks: adobe-client-secret", readOn: "2026-11-29" },
  "Alibaba key id": { source: "gitleaks: alibaba-access-key-id", readOn: "2026-11-29" },
  "ClickHouse key": { source: "gitleaks: clickhouse-cloud-api-secret-key", readOn: "2026-11-29" },
  "Clojars token": { source: "gitleaks: clojars-api-token", readOn: "2026-11-29" },
  "EasyPost key": {
    source: "gitleaks: easypost-api-token, easypost-test-api-token",
    readOn: "2026-11-29",
  },
  "Flutterwave key": {
    source: "gitleaks: flutterwave-encryption-key, flutterwave-secret-key",
    readOn: "2026-11-29",
  },
  "Frame.io token": { source: "gitleaks: frameio-api-token", readOn: "2026-11-29" },
  "Grafana key, older": { source: "gitleaks: grafana-api-key", readOn: "2026-11-29" },
  "Harness key": { source: "gitleaks: harness-api-key", readOn: "2026-11-29" },
  "Infracost key": { source: "gitleaks: infracost-api-token", readOn: "2026-11-29" },
  "42 client secret": { source: "gitleaks: intra42-client-secret", readOn: "2026-11-29" },
  "JSON web token in base64": { source: "gitleaks: jwt-base64", readOn: "2026-11-29" },
  "private key in base64": { source: "RFC 7468, in the base64 of RFC 4648", readOn: "2026-11-29" },
  "Mapbox secret token": {},
  "Octopus Deploy key": { source: "gitleaks: octopus-deploy-api-key", readOn: "2026-11-29" },
  "OpenShift token": { source: "gitleaks: openshift-user-token", readOn: "2026-11-29" },
  "Prefect, SettleMint, Typeform token": {
    source:
      "gitleaks: prefect-api-token, settlemint-application-access-token, settlemint-personal-access-token, settlemint-service-access-token, …",
    readOn: "2026-11-29",
  },
  "Pulumi token": { source: "gitleaks: pulumi-api-token", readOn: "2026-11-29" },
  "ReadMe key": { source: "gitleaks: readme-api-token", readOn: "2026-11-29" },
  "Scalingo token": { source: "gitleaks: scalingo-api-token", readOn: "2026-11-29" },
  "Sourcegraph token": { source: "gitleaks: sourcegraph-access-token", readOn: "2026-11-29" },
  "Yandex key": {
    source: "gitleaks: yandex-api-key, yandex-aws-access-token",
    readOn: "2026-11-29",
  },
  "Yandex token": { source: "gitleaks: yandex-access-token", readOn: "2026-11-29" },
  "Defined Networking key": {
    source: "gitleaks: defined-networking-api-token",
    readOn: "2026-11-29",
  },
  "Dropbox token": { source: "gitleaks: dropbox-short-lived-api-token", readOn: "2026-11-29" },
  "Twitter bearer token": { source: "gitleaks: twitter-bearer-token", readOn: "2026-11-29" },
  "Contentful token": {},
  "Authress key": { source: "gitleaks: authress-service-client-access-key", readOn: "2026-11-29" },
  "Azure AD client secret": { source: "gitleaks: azure-ad-client-secret", readOn: "2026-11-29" },
};

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** The kinds whose source was read more than a year ago or is not known, with the day. */
export function dueSources(
  today: Date,
  sources: Readonly<Record<string, TokenSource>> = TOKEN_SOURCES,
): readonly (readonly [name: string, readOn: string])[] {
  return Object.entries(sources).flatMap(([name, { readOn }]) => {
    if (readOn === undefined) return [[name, "never"] as const];
    return today.getTime() - Date.parse(readOn) > YEAR_MS ? [[name, readOn] as const] : [];
  });
}
