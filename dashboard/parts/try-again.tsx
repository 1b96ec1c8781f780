// A button that tries waiting mail again now, for people who have fixed the cause or want to find out.

import { post } from '../api.ts'
import { usePlace } from '../place.ts'
import { inLanguage } from '../words.ts'
import { useAct, WhyNot } from './act.tsx'
import { announce } from './announce.tsx'

const words = inLanguage(catalogue.parts.tryAgain)

const codes = ['mail_held', 'mail_server_fails', 'mail_refused', 'receiver_refuses', 'tried_again']

/** Nothing where something else is the matter. */
export function TryAgain({ code, done }: { code: string; done: () => void }) {
  const { workspace } = usePlace()
  const act = useAct()
  if (workspace.role === 'viewer' || !codes.includes(code)) return null
  const tryNow = async () => {
    const { mails } = await post('/v1/sending-faults/try-again')
    announce(words.tried(mails))
    done()
  }
  return (
    <>
      <WhyNot act={act} />
      <button type="button" disabled={act.isRunning} onClick={() => act.run(tryNow)}>
        {words.tryNow}
      </button>
    </>
  )
}
