// The product before a mail server that fails until it is mended.

import { type TestApp, testApp } from './app.ts'
import { type Sink, type SinkStage, startSink } from './smtp-sink.ts'

export interface Product extends AsyncDisposable {
  t: TestApp
  sink: Sink
  mend(): void
}

/** With the template `hello`. What is undefined is answered as usual. */
export async function behind(said: (stage: SinkStage, to: string) => string | undefined): Promise<Product> {
  let ill = true
  const sink = startSink({ auth: true, answer: (stage, _, { to }) => (ill ? said(stage, to) : undefined) })
  const t = await testApp({ environment: { SMTP_URL: `smtp://user:secret@127.0.0.1:${sink.port}` } })
  await t.template()
  return {
    t,
    sink,
    mend() {
      ill = false
    },
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]()
      sink.stop()
    },
  }
}
