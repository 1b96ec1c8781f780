// How a client is connected: what goes into its settings, or onto its command line.

import { useState } from 'preact/hooks'
import { ownValue } from '../../../src/kit/own-value.ts'
import { Code } from '../../parts/copy.tsx'
import { usePlace } from '../../place.ts'
import { words } from './words.ts'

interface ConnectionSettings {
  /** What the client calls it. */
  name: string
  url: string
  secret: string
}

const json = (value: unknown) => JSON.stringify(value, null, 2)
const toHeaders = ({ secret }: ConnectionSettings) => ({ Authorization: `Bearer ${secret}` })

const clients: Record<string, { where: string; says: (given: ConnectionSettings) => string }> = {
  'Claude Code': {
    where: '',
    says: ({ name, url, secret }) =>
      `claude mcp add --transport http ${name} ${url} \\\n  --header "Authorization: Bearer ${secret}"`,
  },
  'Claude Desktop': {
    where: 'claude_desktop_config.json',
    says: ({ name, url, secret }) =>
      json({
        mcpServers: {
          [name]: {
            command: 'npx',
            // A space in an argument is lost on some systems.
            args: [
              ...['-y', 'mcp-remote', url],
              ...(url.startsWith('http:') ? ['--allow-http'] : []),
              ...['--header', `Authorization:\${AUTH}`],
            ],
            env: { AUTH: `Bearer ${secret}` },
          },
        },
      }),
  },
  'VS Code': {
    where: '.vscode/mcp.json',
    says: (given) => json({ servers: { [given.name]: { type: 'http', url: given.url, headers: toHeaders(given) } } }),
  },
  Cursor: {
    where: '.cursor/mcp.json',
    says: (given) => json({ mcpServers: { [given.name]: { url: given.url, headers: toHeaders(given) } } }),
  },
  curl: {
    where: '',
    says: ({ url, secret }) =>
      [
        `curl -s '${url}'`,
        `-H 'Authorization: Bearer ${secret}'`,
        `-H 'Content-Type: application/json'`,
        `-H 'Accept: application/json, text/event-stream'`,
        `-d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
      ].join(' \\\n  '),
  },
}
const names = Object.keys(clients)

export function Connect({ path, secret }: { path: '/mcp' | '/mailbox/mcp'; secret: string }) {
  const { workspace } = usePlace()
  const [chosen, setChosen] = useState('Claude Code')
  const given = { name: `${workspace.slug}-mail`, url: location.origin + path, secret }
  const client = ownValue(clients, chosen)
  return (
    <>
      <fieldset class="choices">
        <legend class="unseen">{words.connect}</legend>
        {names.map((one) => (
          <button key={one} type="button" aria-pressed={one === chosen} onClick={() => setChosen(one)}>
            {one}
          </button>
        ))}
      </fieldset>
      {client && (
        <>
          {client.where && (
            <p class="muted">
              <code>{client.where}</code>
            </p>
          )}
          <Code>{client.says(given)}</Code>
        </>
      )}
    </>
  )
}
