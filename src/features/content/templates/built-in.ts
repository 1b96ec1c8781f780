// The built-in mails of a workspace: the confirmation of a double opt-in, in six languages. They contain nothing typed by whoever asked, so
// that a form cannot be used to send text to strangers.

import { ownValue } from '../../../kit/own-value.ts'
import type { Node } from '../rendering/nodes.ts'

export interface BuiltIn {
  id: string
  locale: string
  subject: string
  previewText: string
  content: Node[]
}

interface Words {
  subject: string
  preview: string
  heading: string
  ask: string
  button: string
  /** Precedes the plain URL, for readers who cannot see the button. */
  open: string
  ignore: string
}

const confirmation: Record<string, Words> = {
  en: {
    subject: 'Please confirm your subscription',
    preview: 'One click, and you are on the list.',
    heading: 'Confirm your subscription',
    ask: 'Somebody, most likely you, asked to receive mail from {{company_name}} to this address: {{list_names}}.',
    button: 'Confirm subscription',
    open: 'Or open this link:',
    ignore: 'If it was not you, ignore this mail: without your click nothing will be sent. The link works for 7 days.',
  },
  de: {
    subject: 'Bitte bestätigen Sie Ihre Anmeldung',
    preview: 'Ein Klick, und Sie sind dabei.',
    heading: 'Anmeldung bestätigen',
    ask: 'Jemand, vermutlich Sie, möchte an diese Adresse E-Mails von {{company_name}} erhalten: {{list_names}}.',
    button: 'Anmeldung bestätigen',
    open: 'Oder öffnen Sie diese Adresse:',
    ignore: 'Waren Sie es nicht, tun Sie nichts: Ohne Ihren Klick wird nichts versendet. Der Link gilt 7 Tage.',
  },
  fr: {
    subject: 'Veuillez confirmer votre inscription',
    preview: 'Un clic, et c’est fait.',
    heading: 'Confirmez votre inscription',
    ask: 'Quelqu’un, sans doute vous, souhaite recevoir à cette adresse les e-mails de {{company_name}} : {{list_names}}.',
    button: 'Confirmer l’inscription',
    open: 'Ou ouvrez cette adresse :',
    ignore:
      'Si ce n’était pas vous, ne faites rien : sans votre clic, rien ne sera envoyé. Le lien est valable 7 jours.',
  },
  es: {
    subject: 'Confirma tu suscripción',
    preview: 'Un clic y listo.',
    heading: 'Confirma tu suscripción',
    ask: 'Alguien, probablemente tú, pidió recibir en esta dirección los correos de {{company_name}}: {{list_names}}.',
    button: 'Confirmar suscripción',
    open: 'O abre esta dirección:',
    ignore: 'Si no fuiste tú, no hagas nada: sin tu clic no se enviará nada. El enlace vale 7 días.',
  },
  it: {
    subject: 'Conferma la tua iscrizione',
    preview: 'Un clic e hai finito.',
    heading: 'Conferma la tua iscrizione',
    ask: 'Qualcuno, probabilmente tu, ha chiesto di ricevere a questo indirizzo le e-mail di {{company_name}}: {{list_names}}.',
    button: 'Conferma iscrizione',
    open: 'Oppure apri questo indirizzo:',
    ignore: 'Se non eri tu, non fare nulla: senza il tuo clic non verrà inviato nulla. Il link vale 7 giorni.',
  },
  pt: {
    subject: 'Confirme a sua inscrição',
    preview: 'Um clique e está feito.',
    heading: 'Confirme a sua inscrição',
    ask: 'Alguém, provavelmente você, pediu para receber neste endereço os e-mails de {{company_name}}: {{list_names}}.',
    button: 'Confirmar inscrição',
    open: 'Ou abra este endereço:',
    ignore: 'Se não foi você, não faça nada: sem o seu clique nada será enviado. O link vale 7 dias.',
  },
}

const quiet = '#5b6270'
const prefix = 'builtin_confirmation_'

/** The built-in confirmation in the first available language of `chain`; English always exists. */
export function confirmationFor(chain: string[]): BuiltIn {
  const locale = chain.find((one) => Object.hasOwn(confirmation, one)) ?? 'en'
  return write(locale, ownValue(confirmation, locale) ?? confirmation.en)
}

/** The built-in mail of a revision id; null for a revision that a workspace created. */
export function builtInRevision(revisionId: string): BuiltIn | null {
  return revisionId.startsWith(prefix) ? confirmationFor([revisionId.slice(prefix.length)]) : null
}

function write(locale: string, words: Words | undefined): BuiltIn {
  if (!words) throw new Error(`there is no confirmation in ${locale}`)
  return {
    id: prefix + locale,
    locale,
    subject: words.subject,
    previewText: words.preview,
    content: [
      { type: 'header', text: '{{company_name}}' },
      { type: 'heading', level: 1, text: words.heading },
      { type: 'text', text: words.ask },
      { type: 'button', text: words.button, href: '{{confirm_url}}' },
      { type: 'text', text: words.open, color: quiet, fontSize: 13 },
      { type: 'link', text: '{{confirm_url}}', href: '{{confirm_url}}' },
      { type: 'text', text: words.ignore, color: quiet, fontSize: 13 },
      { type: 'footer' },
    ] as Node[],
  }
}
