// A link with which somebody chooses a new password.

import { aside, copy, facts, panel, starter } from '../starter.ts'

export const passwordReset = starter({
  id: 'password-reset',
  kind: 'transactional',
  words: {
    en: {
      name: 'Password reset',
      purpose: 'The link to a new password, for somebody who forgot theirs.',
      subject: 'Choose a new password',
      previewText: 'The link works once, for {{valid_for|60 minutes}}.',
      heading: 'Choose a new password',
      intro:
        'You, or somebody who knows your address, asked for a new password for **{{recipient_email}}**. With this link you choose it:',
      button: 'Choose a new password',
      valid: 'It works once, for {{valid_for|60 minutes}}. Your old password works until then.',
      from: ['Asked on', 'Device', 'Near'],
      not: 'It was not you? Then you need not do anything, and your password stays as it is. If this happens again, reply to this mail, and we will look into it.',
      minutes: '60 minutes',
      at: '12 May 2026, 14:03',
      device: 'Firefox on Windows',
      place: 'Lyon, France',
    },
    de: {
      name: 'Neues Passwort',
      purpose: 'Der Link zu einem neuen Passwort, für alle, die ihres vergessen haben.',
      subject: 'Wählen Sie ein neues Passwort',
      previewText: 'Der Link gilt einmal, und {{valid_for|60 Minuten}} lang.',
      heading: 'Wählen Sie ein neues Passwort',
      intro:
        'Sie, oder jemand, der Ihre Adresse kennt, möchte ein neues Passwort für **{{recipient_email}}**. Mit diesem Link wählen Sie es:',
      button: 'Neues Passwort wählen',
      valid: 'Er gilt einmal, und {{valid_for|60 Minuten}} lang. Bis dahin gilt Ihr altes Passwort.',
      from: ['Angefragt am', 'Gerät', 'Ungefährer Ort'],
      not: 'Sie waren es nicht? Dann ist nichts zu tun, und Ihr Passwort bleibt, wie es ist. Kommt das noch einmal vor, antworten Sie auf diese Mail, und wir sehen nach.',
      minutes: '60 Minuten',
      at: '12. Mai 2026, 14:03',
      device: 'Firefox unter Windows',
      place: 'Lyon, Frankreich',
    },
  },
  mail: ({ heading, intro, button, valid, from, not, minutes, at, device, place }) => ({
    content: [
      { type: 'header' },
      { type: 'heading', text: heading },
      copy(intro),
      { type: 'button', text: button, href: '{{reset_url}}' },
      aside(valid),
      {
        type: 'if',
        variable: 'device',
        operator: 'exists',
        children: [
          panel([
            facts([
              [from[0] ?? '', '{{asked_at}}'],
              [from[1] ?? '', '{{device}}'],
              [from[2] ?? '', '{{place}}'],
            ]),
          ]),
        ],
      },
      aside(not),
      { type: 'footer' },
    ],
    dataVariables: {
      reset_url: 'https://example.com/reset/5b1e77a0',
      valid_for: minutes,
      asked_at: at,
      device,
      place,
    },
  }),
})
