// A person's own preferences in a workspace, for the dashboard. An API key is no person and has none.

import { Elysia, t } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { time } from '../../core/http/wire.ts'
import { invalidField } from '../../kit/error.ts'
import { auth, type Caller } from '../access/auth.ts'
import { signedIn } from '../access/schema.ts'
import { listPreferences, type Person, type Preference, setPreference } from './preferences.ts'

const keyPattern = /^[a-z][A-Za-z0-9._-]{0,79}$/
const maxValueChars = 4_000

const key = t.String({ description: 'Up to 80 letters, digits, `.`, `_` and `-`, the first a small letter.' })
const preferenceView = t.Object({ key, value: t.String(), updatedAt: time })
const value = t.String({ maxLength: maxValueChars, description: 'A text, or JSON as a text; null forgets it.' })
const preferenceList = t.Object({ data: t.Array(preferenceView) })
const preferenceBody = refusing(t.Object({ key, value: t.Union([value, t.Null()]) }))

export function preferenceRoutes(app: App) {
  return new Elysia({ prefix: '/v1/auth/preferences' })
    .use(auth)
    .get('', async ({ caller }) => await all(app, personOf(caller)), {
      session: 'viewer',
      response: preferenceList,
      detail: extension(
        'listPreferences',
        'List your preferences',
        'What is kept for you in this workspace, by key: the dashboard keeps saved views of lists here, and what you have hidden.',
      ),
    })
    .put(
      '',
      async ({ caller, body: { key, value } }) => {
        const person = personOf(caller)
        await write(app, (tx) => setPreference(tx, person, { key: checkedKey(key), value }))
        return await all(app, person)
      },
      {
        session: 'viewer',
        body: preferenceBody,
        response: preferenceList,
        detail: extension(
          'setPreference',
          'Keep a preference of yours, or forget it',
          'Stores a text under this key, for you in this workspace, in place of the one before; null forgets it. At most 200, of 4,000 characters each. Answers with all of them. They are deleted when you leave the workspace.',
        ),
      },
    )
}

async function all(app: App, person: Person) {
  return { data: (await listPreferences(app, person)).map(toView) }
}

function personOf(caller: Caller): Person {
  return { workspaceId: caller.workspace.id, userId: signedIn(caller).userId }
}

/** Throws 422. */
function checkedKey(key: string): string {
  if (keyPattern.test(key)) return key
  throw invalidField('key', 'must be 1 to 80 letters, digits, ".", "_" and "-", beginning with a small letter')
}

function toView({ key, value, updatedAt }: Preference) {
  return { key, value, updatedAt: updatedAt.toISOString() }
}
