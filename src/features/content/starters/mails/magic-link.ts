// Signs somebody in without a password: by a link, or by a code on another device.

import { aside, copy, panel, starter } from '../starter.ts'

export const magicLink = starter({
  id: 'magic-link',
  kind: 'transactional',
  words: {
    en: {
      name: 'Magic link',
      purpose: 'Signs somebody in without a password, by a link or a code.',
      subject: 'Your code is {{code}}',
      previewText: 'Or sign in with one click. Both work for {{valid_for|10 minutes}}.',
      heading: 'Sign in to {{company_name}}',
      intro: 'Here is your link. It works once, for {{valid_for|10 minutes}}, on this device:',
      button: 'Sign in',
      or: 'Signing in on another device? Type this code there:',
      not: 'You did not ask for it? Then nobody gets in: whoever typed your address needs this mail. Give the code to nobody, not even to us.',
      minutes: '10 minutes',
    },
    de: {
      name: 'Anmeldelink',
      purpose: 'Meldet jemanden ohne Passwort an, mit einem Link oder einem Code.',
      subject: 'Ihr Code ist {{code}}',
      previewText: 'Oder ein Klick genügt. Beides gilt {{valid_for|10 Minuten}}.',
      heading: 'Anmelden bei {{company_name}}',
      intro: 'Hier ist Ihr Link. Er gilt einmal, {{valid_for|10 Minuten}} lang, auf diesem Gerät:',
      button: 'Anmelden',
      or: 'Sie melden sich auf einem anderen Gerät an? Dort gilt dieser Code:',
      not: 'Sie haben das nicht angefragt? Dann kommt niemand hinein: Wer Ihre Adresse eingegeben hat, braucht diese Mail. Geben Sie den Code niemandem, auch uns nicht.',
      minutes: '10 Minuten',
    },
  },
  mail: ({ heading, intro, button, or, not, minutes }) => ({
    content: [
      { type: 'header' },
      { type: 'heading', text: heading },
      copy(intro),
      { type: 'button', text: button, href: '{{login_url}}' },
      panel([
        { type: 'text', text: or, align: 'center', fontSize: 14 },
        { type: 'text', text: '**{{code}}**', format: 'markdown', align: 'center', fontSize: 32, lineHeight: 120 },
      ]),
      aside(not),
      { type: 'footer' },
    ],
    dataVariables: { login_url: 'https://example.com/login/3e8a90c2', code: '482 913', valid_for: minutes },
  }),
})
