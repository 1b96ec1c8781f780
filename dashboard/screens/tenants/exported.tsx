// The export of a workspace: made in the background, downloaded while it is kept; or the file with which it moves.

import { get, post } from '../../api.ts'
import { useAct } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Download } from '../../parts/download.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Time } from '../../parts/time.tsx'
import { colon, size } from '../../words.ts'
import type { Tenant } from './fields.tsx'
import { words } from './words.ts'

const path = '/v1/workspaces/:workspaceId/export'
const lookEveryMs = 2_000

export function Exported({ tenant, isFirst }: { tenant: Tenant; isFirst: boolean }) {
  const act = useAct()
  const params = { workspaceId: tenant.id }
  const found = useLoaded(tenant.id, (signal) => get(path, { params }, signal))
  const waits = found.value?.state === 'waiting'
  useRepeat(waits ? lookEveryMs : null, found.reload)
  const begin = (form: FormData) =>
    act.run(async () => {
      const movesTo = String(form.get('movesTo') ?? '').trim()
      await post(path, { params, body: { movesTo: movesTo === '' ? null : movesTo } })
      announce(words.exportWaits)
      found.reload()
    })
  return (
    <section>
      <h2>{words.exported}</h2>
      <p class="muted">{words.exportHow}</p>
      <Show of={found}>
        {(last) => (
          <>
            {last.state === 'waiting' && <p>{words.exportWaits}</p>}
            {last.state === 'waiting' && last.detail !== null && <p class="muted">{last.detail}</p>}
            {last.state === 'failed' && (
              <div class="notice bad">
                <p>
                  <strong>{words.exportFailed}</strong>
                </p>
                <p>{last.detail}</p>
              </div>
            )}
            {last.state === 'done' && (
              <>
                <p>
                  {last.movesTo ?? words.exportCopy}
                  {colon}
                  {size(last.sizeBytes)} · {words.keptUntil} {last.expiresAt !== null && <Time at={last.expiresAt} />}
                </p>
                <p class="actions">
                  <Download
                    path={`/v1/workspaces/${tenant.id}/export/file`}
                    name={`${tenant.slug}.tar.zst.age`}
                    says={words.exportDownload}
                  />
                </p>
              </>
            )}
            {last.state !== 'waiting' && (
              <Form act={act} says={words.exportIt} submit={begin}>
                {tenant.suspendedAt !== null && !isFirst && (
                  <label>
                    {words.movesTo}
                    <input type="url" name="movesTo" maxLength={2_000} placeholder="https://" />
                    <span>{words.movesToHow}</span>
                  </label>
                )}
              </Form>
            )}
          </>
        )}
      </Show>
    </section>
  )
}
