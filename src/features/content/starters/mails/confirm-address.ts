// Asks whether the address of a new account is right.

import { aside, copy, starter } from '../starter.ts'

export const confirmAddress = starter({
  id: 'confirm-address',
  kind: 'transactional',
  words: {
    en: {
      name: 'Confirm address',
      purpose: 'Asks whether the e-mail address of a new account is right.',
      subject: 'Please confirm your e-mail address',
      previewText: 'One click, and your account is ready.',
      heading: 'Is this your address?',
      intro: 'Somebody signed up at {{company_name}} with **{{recipient_email}}**. If that was you, one click is left:',
      button: 'Confirm address',
      open: 'If the button does not work, open this address:',
      valid: 'The link works for {{valid_for|24 hours}}.',
      not: 'It was not you? Then there is nothing to do: without the click no account is opened.',
      hours: '24 hours',
    },
    de: {
      name: 'Adresse bestätigen',
      purpose: 'Fragt, ob die E-Mail-Adresse eines neuen Kontos stimmt.',
      subject: 'Bitte bestätigen Sie Ihre E-Mail-Adresse',
      previewText: 'Ein Klick, und Ihr Konto ist bereit.',
      heading: 'Ist das Ihre Adresse?',
      intro:
        'Jemand hat sich bei {{company_name}} mit **{{recipient_email}}** angemeldet. Waren Sie das, fehlt nur noch ein Klick:',
      button: 'Adresse bestätigen',
      open: 'Wenn der Knopf nicht funktioniert, öffnen Sie diese Adresse:',
      valid: 'Der Link gilt {{valid_for|24 Stunden}}.',
      not: 'Sie waren es nicht? Dann ist nichts zu tun: Ohne den Klick wird kein Konto eröffnet.',
      hours: '24 Stunden',
    },
  },
  mail: ({ heading, intro, button, open, valid, not, hours }) => ({
    content: [
      { type: 'header' },
      { type: 'heading', text: heading },
      copy(intro),
      { type: 'button', text: button, href: '{{verify_url}}' },
      aside(valid),
      {
        type: 'section',
        divider: 'top',
        children: [aside(open), { type: 'link', text: '{{verify_url}}', href: '{{verify_url}}' }, aside(not)],
      },
      { type: 'footer' },
    ],
    dataVariables: { verify_url: 'https://example.com/verify/9f2c41d8', valid_for: hours },
  }),
})
