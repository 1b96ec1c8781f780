// Makes a template of a starter: in each of its languages, as a draft, with its pictures in the library of the workspace.

import { type App, write } from '../../../core/app.ts'
import { baseLocale } from '../../../kit/locale.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { toMediaView } from '../media/schema.ts'
import { takePicture } from '../media/upload.ts'
import { parseTree } from '../rendering/tree.ts'
import { setContent } from '../templates/contents.ts'
import { createTemplate, type Template } from '../templates/templates.ts'
import { placePictures } from './pictures.ts'
import { type Starter, type StarterLanguage, type StarterMail, starterLanguages } from './starter.ts'

/** The language of a starter for readers of that locale. */
export function languageFor(locale: string): StarterLanguage {
  return starterLanguages.find((one) => one === baseLocale(locale)) ?? 'en'
}

export interface TemplateName {
  name?: string | undefined
  id?: string | undefined
}

/** Throws 409 `template_exists`, and what stands in the way of a picture. */
export async function useStarter(
  app: App,
  workspace: Workspace,
  { mails }: Starter,
  named: TemplateName,
): Promise<Template> {
  const primaryLocale = languageFor(workspace.primaryLocale)
  const contents = new Map<string, Filled>()
  for (const locale of starterLanguages) contents.set(locale, await fillPictures(app, workspace, mails[locale]))
  const { name, ...primary } = contents.get(primaryLocale) ?? fail(primaryLocale)
  const sender = { fromName: null, fromEmail: null, replyTo: null }
  return await write(app, async (tx) => {
    const { subject, previewText, content } = primary
    const template = await createTemplate(tx, workspace.id, {
      ...{ name: named.name ?? name, slug: named.id, subject, previewText, content, primaryLocale, ...sender },
      status: 'draft',
    })
    for (const [locale, { subject, previewText, content }] of contents)
      if (locale !== primaryLocale)
        await setContent(tx, template, { locale, subject, previewText, content, activates: false })
    return template
  })
}

type Filled = Pick<StarterMail, 'name' | 'subject' | 'previewText' | 'content'>

async function fillPictures(app: App, { id }: Workspace, mail: StarterMail): Promise<Filled> {
  const { name, subject, previewText } = mail
  const written = await placePictures(JSON.stringify(mail.content), async (bytes, picture) => {
    const { row } = await takePicture(app, id, once(bytes), { name: picture, alt: '' })
    return toMediaView(row, app.config.baseUrl).url
  })
  return { name, subject, previewText, content: parseTree(JSON.parse(written)).content }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function fail(locale: string): never {
  throw new Error(`a starter has no mail in ${locale}`)
}
