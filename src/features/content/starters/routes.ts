// What a template may start from: a list, each of them as a mail of this workspace, and making a template of one.

import { Elysia } from 'elysia'
import type { App } from '../../../core/app.ts'
import { extension } from '../../../core/http/operation.ts'
import { auth } from '../../../people/access/auth.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { checkedLocale } from '../templates/contents.ts'
import { getTemplateView } from '../templates/draft.ts'
import { checkFields, templateView } from '../templates/schema.ts'
import { withDataUrls } from './pictures.ts'
import { locales, shownStarterView, starterList, starterQuery, toStarterView, useBody } from './schema.ts'
import type { Starter, StarterMail } from './starter.ts'
import { getStarter, starters } from './starters.ts'
import { languageFor, useStarter } from './use.ts'

const path = '/v1/template-starters'
const reading = { scope: 'transactional.read', session: true } as const
const writing = { scope: 'transactional.write', session: true } as const

/** A mail as this workspace would send it. */
type Show = (
  workspace: Workspace,
  mail: StarterMail & { kind: Starter['kind']; locale: string },
) => Promise<{ subject: string; previewText: string; html: string; text: string }>

export function starterRoutes(app: App, show: Show) {
  return new Elysia({ prefix: path })
    .use(auth)
    .get(
      '',
      ({ workspace, query }) => {
        const locale = localeOf(query.locale, workspace)
        return { data: starters.map((one) => toStarterView(one, locale)) }
      },
      {
        auth: reading,
        query: starterQuery,
        response: starterList,
        detail: {
          ...extension(
            'listTemplateStarters',
            'List what a template may start from',
            'Whole mails, in English and German, with what they are for. They use the brand of the workspace.',
          ),
          tool: {
            name: 'list_template_starters',
            says: {
              purpose: 'Lists finished mails that a template may start from: welcome, receipt, newsletter and others.',
              notFor: 'Templates of the workspace (list_templates).',
              returns: '`data` with id, name, purpose and kind; `marketing` ones are for campaigns.',
              whenToUse: 'Before writing a template from nothing: `use_template_starter` makes a draft of one.',
            },
            touches: { reads: 'own', acts: 'no' },
          },
        },
      },
    )
    .get(
      '/:starterId',
      ({ workspace, params, query }) =>
        shownStarter(workspace, getStarter(params.starterId), localeOf(query.locale, workspace), show),
      {
        auth: reading,
        query: starterQuery,
        response: shownStarterView,
        detail: extension(
          'getTemplateStarter',
          'Show one of them as a mail',
          'Rendered with the brand of the workspace and with test data; its pictures are in the HTML. Nothing is stored.',
        ),
      },
    )
    .post(
      '/:starterId/use',
      async ({ workspace, params, body, set }) => {
        checkFields(body)
        const { slug } = await useStarter(app, workspace, getStarter(params.starterId), body)
        set.status = 201
        return await getTemplateView(app, workspace, slug)
      },
      {
        auth: writing,
        body: useBody,
        response: { 201: templateView },
        detail: extension(
          'useTemplateStarter',
          'Make a template of one of them',
          'A draft with content in each of its languages; nobody can send it before its `status` is `active`. Its pictures are put into the library. 409 `template_exists` if another template has this slug.',
          [409],
        ),
      },
    )
}

function localeOf(wanted: string | undefined, { primaryLocale }: Workspace): string {
  return wanted === undefined ? primaryLocale : checkedLocale('locale', wanted)
}

async function shownStarter(workspace: Workspace, one: Starter, wanted: string, show: Show) {
  const locale = languageFor(wanted)
  const mail = one.mails[locale]
  const { subject, previewText, html, text } = await show(workspace, { ...mail, kind: one.kind, locale })
  const shown = { subject, previewText, html: await withDataUrls(html), text, dataVariables: mail.dataVariables }
  return { ...toStarterView(one, wanted), locale, locales, ...shown }
}
