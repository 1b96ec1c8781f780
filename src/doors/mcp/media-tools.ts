// Adding a picture to the library: it calls what the REST route calls and contains no rules.

import { Type } from '@sinclair/typebox'
import { checkedLabels, toMediaView } from '../../features/content/media/schema.ts'
import { takePicture } from '../../features/content/media/upload.ts'
import { invalidField } from '../../kit/error.ts'
import type { WorkspaceCaller } from './callers.ts'
import { defineTool, type Tool } from './tool.ts'

const closed = { additionalProperties: false }
const text = Type.String()
const maxBase64Chars = 900_000
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const picture = {
  id: text,
  url: text,
  name: text,
  alt: text,
  contentType: text,
  bytes: Type.Integer(),
  width: Type.Integer(),
  height: Type.Integer(),
  animated: Type.Boolean(),
}

const upload = defineTool({
  name: 'upload_media',
  scope: 'transactional.write',
  title: 'Upload a picture',
  says: {
    purpose: 'Adds a picture to the library: PNG, JPEG, WebP or GIF. The same bytes are stored once.',
    notFor: 'Files of more than 650 KB (POST /v1/media takes 10 MB), attachments, or SVG.',
    returns: 'The picture, with the `url` for an image component.',
    whenToUse: 'When a mail needs a picture that is not in the library yet.',
  },
  input: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 200 }),
      alt: Type.String({ minLength: 1, maxLength: 1_000, description: 'What it shows, for those who do not see it.' }),
      data: Type.String({ maxLength: maxBase64Chars, description: 'The file in Base64.' }),
    },
    closed,
  ),
  output: Type.Object(picture),
  touches: { reads: 'own', acts: 'inside' },
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller, { name, alt, data }) {
    if (!base64.test(data)) throw invalidField('data', 'data must be Base64')
    const { row } = await takePicture(app, workspace.id, whole(data), checkedLabels({ name, alt }))
    return { structured: toPicture(toMediaView(row, app.config.baseUrl)) }
  },
})

async function* whole(data: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(data, 'base64')
}

function toPicture({ createdAt: _, updatedAt: __, ...view }: ReturnType<typeof toMediaView>) {
  return view
}

export const mediaTools: Tool<WorkspaceCaller>[] = [upload]
