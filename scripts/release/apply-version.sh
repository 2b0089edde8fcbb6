#!/usr/bin/env bash
# Applies and stages the patch that sets the next version. It was made where code of dependencies runs, so it may change only what a
# version changes, in plain files.
set -euo pipefail
patch=$1
allowed='(packages|apps|internal)/[a-z0-9-]+/(package\.json|CHANGELOG\.md)|(bench|docs)/(package\.json|CHANGELOG\.md)|docs/[a-z0-9-]+/package\.json|\.changeset/[a-z0-9-]+\.md|packages/core/src/shared/version\.ts|pnpm-lock\.yaml'
others=$(git apply --numstat "$patch" | cut -f 3- | grep -Exv "$allowed" || true)
if [ -n "$others" ]; then
  echo "A version does not change these:" "$others" >&2
  exit 1
fi
if grep -E '^((new|old) mode|(new|deleted) file mode) ' "$patch" | grep -Eqv ' 100644$'; then
  echo "A version makes no links and no programs." >&2
  exit 1
fi
git apply --index "$patch"
