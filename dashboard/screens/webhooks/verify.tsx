// How a receiver tells that a request is from here, in the languages that receivers are written in.

import { useState } from 'preact/hooks'
import { Code } from '../../parts/copy.tsx'
import { words } from './words.ts'

const ways = {
  JavaScript: `import { Webhook } from 'standardwebhooks'

new Webhook(process.env.SIGNING_SECRET).verify(await request.text(), Object.fromEntries(request.headers))`,
  Python: `import os
from standardwebhooks.webhooks import Webhook

Webhook(os.environ["SIGNING_SECRET"]).verify(request.body, request.headers)`,
  Go: `import standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

webhook, err := standardwebhooks.NewWebhook(os.Getenv("SIGNING_SECRET"))
// …
err = webhook.Verify(body, r.Header)`,
  Ruby: `require "standardwebhooks"

StandardWebhooks::Webhook.new(ENV["SIGNING_SECRET"]).verify(body, headers)`,
  PHP: `$headers = array_change_key_case(getallheaders());
(new \\StandardWebhooks\\Webhook(getenv('SIGNING_SECRET')))->verify(file_get_contents('php://input'), $headers);`,
  Shell: `KEY=$(printf %s "\${SIGNING_SECRET#whsec_}" | base64 -d | od -An -tx1 | tr -d ' \\n')
printf 'v1,%s\\n' "$(printf '%s.%s.%s' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" "$BODY" |
  openssl dgst -sha256 -mac HMAC -macopt hexkey:$KEY -binary | base64)"`,
} as const

type Language = keyof typeof ways
const languages = Object.keys(ways) as Language[]

export function Verify() {
  const [language, setLanguage] = useState<Language>('JavaScript')
  return (
    <section>
      <h2>{words.verify}</h2>
      <p class="muted">{words.verifyHow}</p>
      <fieldset class="choices">
        <legend class="unseen">{words.verify}</legend>
        {languages.map((one) => (
          <button key={one} type="button" aria-pressed={one === language} onClick={() => setLanguage(one)}>
            {one}
          </button>
        ))}
      </fieldset>
      <Code>{ways[language]}</Code>
    </section>
  )
}
