// An empty list teaches: the call that fills it, which works when it is pasted.

import { toCurl } from '../api.ts'
import { Code } from './copy.tsx'

const create = {
  method: 'POST',
  path: '/v1/transactional/create',
  body: { id: 'hello', name: 'Hello', subject: 'Hello {{name|there}}', content: [{ type: 'text', text: 'It works.' }] },
}

const send = {
  method: 'POST',
  path: '/v1/transactional/send',
  body: { email: 'you@example.net', templateId: 'hello', dataVariables: { name: 'Ada' } },
}

export function FirstMail() {
  return <Code>{`${toCurl(create)}\n${toCurl(send)}`}</Code>
}
