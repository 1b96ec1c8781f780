// The form to sign in, or to create the first account.

import { missingField } from '../../kit/error.ts'

/** Throws 422 naming the field that is missing. */
export function readCredentials(form: URLSearchParams): { email: string; password: string } {
  const field = (name: string) => {
    const value = form.get(name)
    if (value === null) throw missingField(name, `the form has no field ${name}`)
    return value
  }
  return { email: field('email'), password: field('password') }
}
