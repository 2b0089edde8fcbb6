import { KEY, LONG, MIXED, leaks } from "@toolcontract/case-table/secrets";
import { expect, test } from "vitest";
import { createSanitizer } from "./sanitizer.ts";

// The yardstick: the rules of gitleaks, config/gitleaks.toml at 09242ce9c8a60d9b051fc2d166f9e849b88c7ac0 (2025-11-20), by their ids. The
// samples are made up by their patterns: {m20} stands for 20 mixed letters and digits, h for hexadecimal, d for digits, l and u for
// digits and lower or upper case.

/** What is hidden wherever it stands. */
const BY_SHAPE: Readonly<Record<string, string>> = {
  "1password-secret-key": "A3-{u6}-{u11}-{u5}-{u5}-{u5}",
  "1password-service-account-token": "ops_eyJ{m250}",
  "adobe-client-secret": "p8e-{l32}",
  "age-secret-key": "AGE-SECRET-KEY-1{u58}",
  "airtable-personnal-access-token": "pat{m14}.{h64}",
  "alibaba-access-key-id": "LTAI{l20}",
  "anthropic-admin-api-key": "sk-ant-admin01-{m95}",
  "anthropic-api-key": "sk-ant-api03-{m95}",
  "artifactory-api-key": "AKCp{m69}",
  "artifactory-reference-token": "cmVmd{m59}",
  "atlassian-api-token": "ATATT3{m180}={h8}",
  "authress-service-client-access-key": "sc_{l10}.{l5}.acc_{l12}.{l40}",
  "aws-access-token": "A3TX{u16}",
  "aws-amazon-bedrock-api-key-long-lived": "ABSK{m109}",
  "aws-amazon-bedrock-api-key-short-lived": "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t{m60}",
  "azure-ad-client-secret": "a8K8Q~{m34}",
  "clickhouse-cloud-api-secret-key": "4b1d{m38}",
  "clojars-api-token": "CLOJARS_{l60}",
  "cloudflare-origin-ca-key": "v1.0-{h24}-{h146}",
  "curl-auth-header": 'curl -H "Authorization: Basic {m22}==" https://x.test',
  "curl-auth-user": "curl -u admin:{m14} https://x.test",
  "databricks-api-token": "dapi{h32}",
  "defined-networking-api-token": "dnkey-{l26}-{l52}",
  "digitalocean-access-token": "doo_v1_{h64}",
  "digitalocean-pat": "dop_v1_{h64}",
  "digitalocean-refresh-token": "dor_v1_{h64}",
  "doppler-api-token": "dp.pt.{l43}",
  "dropbox-short-lived-api-token": "sl.{l135}",
  "duffel-api-token": "duffel_live_{l43}",
  "dynatrace-api-token": "dt0c01.{l24}.{l64}",
  "easypost-api-token": "EZAK{l54}",
  "easypost-test-api-token": "EZTK{l54}",
  "facebook-access-token": "{d16}|{m28}",
  "facebook-page-access-token": "EAAC{m101}",
  "flutterwave-encryption-key": "FLWSECK_TEST-{h12}",
  "flutterwave-secret-key": "FLWSECK_TEST-{l32}-{u1}",
  "flyio-access-token": "fo1_{m43}",
  "frameio-api-token": "fio-u-{l64}",
  "freemius-secret-key": '"secret_key" => "sk_{m29}"',
  "gcp-api-key": "AIza{m35}",
  "generic-api-key": 'api_key = "{m32}"',
  "github-app-token": "ghu_{m36}",
  "github-fine-grained-pat": "github_pat_{m82}",
  "github-oauth": "gho_{m36}",
  "github-pat": "ghp_{m36}",
  "github-refresh-token": "ghr_{m36}",
  "gitlab-cicd-job-token": "glcbt-{h3}_{m20}",
  "gitlab-deploy-token": "gldt-{m20}",
  "gitlab-feature-flag-client-token": "glffct-{m20}",
  "gitlab-feed-token": "glft-{m20}",
  "gitlab-incoming-mail-token": "glimt-{m25}",
  "gitlab-kubernetes-agent-token": "glagent-{m50}",
  "gitlab-oauth-app-secret": "gloas-{m64}",
  "gitlab-pat": "glpat-{m20}",
  "gitlab-pat-routable": "glpat-{m27}.{l9}",
  "gitlab-ptt": "glptt-{h40}",
  "gitlab-rrt": "GR1348941{m20}",
  "gitlab-runner-authentication-token": "glrt-{m20}",
  "gitlab-runner-authentication-token-routable": "glrt-t1_{m27}.01.{l9}",
  "gitlab-scim-token": "glsoat-{m20}",
  "gitlab-session-cookie": "_gitlab_session={l32}",
  "grafana-api-key": "eyJrIjoi{m70}",
  "grafana-cloud-api-token": "glc_{m32}",
  "grafana-service-account-token": "glsa_{m32}_{u8}",
  "harness-api-key": "pat.{m22}.{m24}.{m20}",
  "hashicorp-tf-api-token": "{m14}.atlasv1.{m64}",
  "heroku-api-key-v2": "HRKU-AA{m58}",
  "huggingface-access-token": "hf_{l34}",
  "huggingface-organization-api-token": "api_org_{l34}",
  "infracost-api-token": "ico-{m32}",
  "intra42-client-secret": "s-s4t2ud-{h64}",
  jwt: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0.{m30}",
  "jwt-base64": "ZXlK{m50}",
  "linear-api-key": "lin_api_{l40}",
  "mailchimp-api-key": "{h32}-us12",
  "mailgun-private-api-token": "key-{h32}",
  "mailgun-pub-key": "pubkey-{h32}",
  "maxmind-license-key": "{m6}_{m29}_mmk",
  "microsoft-teams-webhook":
    "https://a.webhook.office.com/webhookb2/{h32}@{h32}/IncomingWebhook/{l32}",
  "new-relic-browser-api-token": "NRJS-{h19}",
  "new-relic-insert-key": "NRII-{l32}",
  "new-relic-user-api-key": "NRAK-{l27}",
  "notion-api-token": "ntn_{m46}",
  "npm-access-token": "npm_{l36}",
  "nuget-config-password": '<add key="Password" value="{m16}" />',
  "octopus-deploy-api-key": "API-{u26}",
  "openai-api-key": "sk-proj-{m58}T3BlbkFJ{m58}",
  "openshift-user-token": "sha256~{m44}",
  "perplexity-api-key": "pplx-{m48}",
  "plaid-api-token": "access-sandbox-{h8}-{d4}-{h4}-{d4}-{h12}",
  "planetscale-api-token": "pscale_tkn_{m32}",
  "planetscale-oauth-token": "pscale_oauth_{m32}",
  "planetscale-password": "pscale_pw_{m32}",
  "postman-api-token": "PMAK-{h24}-{h34}",
  "prefect-api-token": "pnu_{m36}",
  "private-key": "-----BEGIN RSA PRIVATE {KEY}-----{m64}",
  "pulumi-api-token": "pul-{h40}",
  "pypi-upload-token": "pypi-AgEIcHlwaS5vcmc{m50}",
  "readme-api-token": "rdme_{l70}",
  "rubygems-api-token": "rubygems_{h48}",
  "scalingo-api-token": "tk-us-{m48}",
  "sendgrid-api-token": "SG.{l66}",
  "sendinblue-api-token": "xkeysib-{h64}-{l16}",
  "sentry-org-token": "sntrys_eyJpYXQiO{m36}_{m44}",
  "sentry-user-token": "sntryu_{h64}",
  "settlemint-application-access-token": "sm_aat_{m16}",
  "settlemint-personal-access-token": "sm_pat_{m16}",
  "settlemint-service-access-token": "sm_sat_{m16}",
  "shippo-api-token": "shippo_live_{h40}",
  "shopify-access-token": "shpat_{h32}",
  "shopify-custom-access-token": "shpca_{h32}",
  "shopify-private-app-access-token": "shppa_{h32}",
  "shopify-shared-secret": "shpss_{h32}",
  "sidekiq-sensitive-url": "https://account1:{h8}@gems.contribsys.com/",
  "slack-app-token": "xapp-1-{u10}-{d13}-{h48}",
  "slack-bot-token": "xoxb-{d12}-{d12}-{m24}",
  "slack-config-access-token": "xoxe.xoxb-1-{u163}",
  "slack-config-refresh-token": "xoxe-{d1}-{u146}",
  "slack-legacy-bot-token": "xoxb-{d8}-{m18}",
  "slack-legacy-token": "xoxs-{d10}-{d10}-{d10}-{h32}",
  "slack-legacy-workspace-token": "xoxa-2-{m32}",
  "slack-user-token": "xoxp-{d10}-{d10}-{d10}-{m28}",
  "slack-webhook-url": "https://hooks.slack.com/services/{m43}",
  "sourcegraph-access-token": "sgp_{h16}_{h40}",
  "square-access-token": "EAAA{m24}",
  "stripe-access-token": "sk_live_{m24}",
  "twilio-api-key": "SK{h32}",
  "typeform-api-token": "tfp_{l59}",
  "vault-batch-token": "hvb.{m138}",
  "vault-service-token": "hvs.{m95}",
  "yandex-api-key": "AQVN{m35}",
  "yandex-aws-access-token": "YC{m38}",
};

/** What looks like any random string: hidden beside the name of a secret, and shown elsewhere. */
const BY_NAME: readonly string[] = [
  "adafruit-api-key",
  "airtable-api-key",
  "algolia-api-key",
  "alibaba-secret-key",
  "asana-client-secret",
  "beamer-api-token",
  "bitbucket-client-secret",
  "bittrex-access-key",
  "bittrex-secret-key",
  "cisco-meraki-api-key",
  "cloudflare-api-key",
  "cloudflare-global-api-key",
  "codecov-access-token",
  "cohere-api-token",
  "coinbase-access-token",
  "confluent-access-token",
  "confluent-secret-key",
  "contentful-delivery-api-token",
  "datadog-access-token",
  "discord-api-token",
  "discord-client-secret",
  "droneci-access-token",
  "dropbox-api-token",
  "dropbox-long-lived-api-token",
  "etsy-access-token",
  "facebook-secret",
  "fastly-api-token",
  "finicity-api-token",
  "finicity-client-secret",
  "finnhub-access-token",
  "flickr-access-token",
  "freshbooks-access-token",
  "gitter-access-token",
  "gocardless-api-token",
  "hashicorp-tf-password",
  "heroku-api-key",
  "hubspot-api-key",
  "intercom-api-key",
  "jfrog-api-key",
  "jfrog-identity-token",
  "kraken-access-token",
  "kucoin-access-token",
  "kucoin-secret-key",
  "launchdarkly-access-token",
  "linear-client-secret",
  "linkedin-client-secret",
  "lob-api-key",
  "looker-client-secret",
  "mailgun-signing-key",
  "mapbox-api-token",
  "mattermost-access-token",
  "messagebird-api-token",
  "netlify-access-token",
  "nytimes-access-token",
  "okta-access-token",
  "plaid-secret-key",
  "privateai-api-token",
  "rapidapi-access-token",
  "sendbird-access-token",
  "sentry-access-token",
  "sidekiq-secret",
  "snyk-api-token",
  "sonar-api-token",
  "squarespace-access-token",
  "sumologic-access-token",
  "telegram-bot-api-token",
  "travisci-access-token",
  "twitch-api-token",
  "twitter-access-secret",
  "twitter-access-token",
  "twitter-api-key",
  "twitter-api-secret",
  "twitter-bearer-token",
  "yandex-access-token",
  "zendesk-secret-key",
];

/** What is not hidden, and why. */
const DECLINED: Readonly<Record<string, string>> = {
  "adobe-client-id": "names an application or account, and opens nothing",
  "asana-client-id": "names an application or account, and opens nothing",
  "bitbucket-client-id": "names an application or account, and opens nothing",
  "discord-client-id": "names an application or account, and opens nothing",
  "flutterwave-public-key": "is meant to be public",
  "kubernetes-secret-yaml": "is any base64 below any name; those below names of secrets are hidden",
  "linkedin-client-id": "names an application or account, and opens nothing",
  "lob-pub-api-key": "is meant to be public",
  "looker-client-id": "names an application or account, and opens nothing",
  "messagebird-client-id": "names an application or account, and opens nothing",
  "new-relic-user-api-id": "names an application or account, and opens nothing",
  "pkcs12-file": "is a file, not text",
  "plaid-client-id": "names an application or account, and opens nothing",
  "sendbird-access-id": "names an application or account, and opens nothing",
  "sumologic-access-id": "names an application or account, and opens nothing",
};

const LETTERS = `${MIXED}${LONG.replaceAll(/[^A-Za-z0-9]/g, "")}`.repeat(4);
const KINDS: Readonly<Record<string, string>> = {
  m: LETTERS,
  l: LETTERS.toLowerCase(),
  u: LETTERS.toUpperCase(),
  h: LETTERS.toLowerCase().replaceAll(/[^0-9a-f]/g, ""),
  d: LETTERS.replaceAll(/\D/g, ""),
};

/** Makes a sample; `body` is what must not be shown. */
function sampleOf(template: string): { readonly text: string; readonly body: string } {
  let body = "";
  const text = template
    .replaceAll("{KEY}", KEY)
    .replaceAll(/\{([mluhd])(\d+)\}/g, (_, kind: string, count: string) => {
      const run = (KINDS[kind] ?? "").slice(body.length % 7).slice(0, Number(count));
      body = run.length > body.length ? run : body;
      return run;
    });
  return { text, body };
}

const sanitizer = createSanitizer({ maxValuePreview: 1_000 });

test.each(Object.entries(BY_SHAPE))("%s is hidden", (name, template) => {
  const { text, body } = sampleOf(template);
  for (const sent of [text, `use ${text}, please`, { list: [text] }]) {
    expect(leaks(sanitizer.preview(sent, { path: ["x"] }), { name, text, body })).toBe(false);
  }
});

test.each(BY_NAME)("%s is hidden beside its name", (rule) => {
  const name = rule.toUpperCase().replaceAll("-", "_");
  const field = /(?:KEY|TOKEN|SECRET|PASSWORD)$/.test(name) ? name : `${name}_TOKEN`;
  const { body } = sampleOf("{l32}");
  for (const sent of [`${field}=${body}`, { [field]: body }]) {
    expect(leaks(sanitizer.preview(sent, { path: ["x"] }), { name, text: body, body })).toBe(false);
  }
});

test("each rule of the set is named or declined with a reason", () => {
  const rules = [...Object.keys(BY_SHAPE), ...BY_NAME, ...Object.keys(DECLINED)];
  expect(new Set(rules).size).toBe(222);
  expect(Object.values(DECLINED).every((reason) => reason.length > 10)).toBe(true);
});
