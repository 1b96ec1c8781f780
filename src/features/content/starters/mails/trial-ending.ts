// A trial is about to end: what happens then, and how to stay.

import { aside, copy, facts, panel, starter } from '../starter.ts'

export const trialEnding = starter({
  id: 'trial-ending',
  kind: 'transactional',
  words: {
    en: {
      name: 'Trial ending',
      purpose: 'A trial ends soon: what stays, and how to go on.',
      subject: 'Your trial ends on {{ends_on}}',
      previewText: 'Nothing is charged by itself. Choose a plan to go on.',
      heading: 'Your trial ends on {{ends_on}}',
      intro:
        'Hello {{contact.firstName|there}}, for two weeks you have had everything we make. **Nothing is charged by itself:** you decide whether it goes on.',
      soFar: 'What you have done so far',
      facts: ['Projects', 'People you invited'],
      ifGo: '**If you choose a plan,** everything stays as it is, from {{price}} a month. You can leave at the end of any month.',
      ifStop:
        '**If you do nothing,** your account becomes read-only on {{ends_on}}. We keep what is in it for 30 days, so that you can come back or take it with you.',
      button: 'Choose a plan',
      compare: 'Compare the plans',
      help: 'Need more time, or missing something? Reply and tell us; it is often a matter of one setting.',
      when: '26 May',
      price: '€19',
    },
    de: {
      name: 'Testzeit endet',
      purpose: 'Eine Testzeit endet bald: was bleibt, und wie es weitergeht.',
      subject: 'Ihre Testzeit endet am {{ends_on}}',
      previewText: 'Es wird nichts von selbst abgebucht. Mit einem Tarif geht es weiter.',
      heading: 'Ihre Testzeit endet am {{ends_on}}',
      intro:
        'Zwei Wochen lang hatten Sie alles, was wir machen. **Es wird nichts von selbst abgebucht:** Sie entscheiden, ob es weitergeht.',
      soFar: 'Was Sie bisher getan haben',
      facts: ['Projekte', 'Eingeladene Personen'],
      ifGo: '**Mit einem Tarif** bleibt alles, wie es ist, ab {{price}} im Monat. Kündigen können Sie zum Ende jedes Monats.',
      ifStop:
        '**Wenn Sie nichts tun,** lässt sich Ihr Konto ab dem {{ends_on}} nur noch lesen. Was darin ist, behalten wir 30 Tage, damit Sie zurückkommen oder es mitnehmen können.',
      button: 'Tarif wählen',
      compare: 'Tarife vergleichen',
      help: 'Sie brauchen mehr Zeit, oder etwas fehlt? Antworten Sie uns; oft ist es nur eine Einstellung.',
      when: '26.\u00a0Mai',
      price: '19\u00a0€',
    },
  },
  mail: (words) => {
    const [projects = '', people = ''] = words.facts
    return {
      content: [
        { type: 'header' },
        { type: 'heading', text: words.heading },
        copy(words.intro),
        {
          type: 'if',
          variable: 'projects',
          operator: 'greaterThan',
          value: 0,
          children: [
            panel([
              { type: 'heading', level: 3, text: words.soFar },
              facts([
                [projects, '{{projects}}'],
                [people, '{{people|0}}'],
              ]),
            ]),
          ],
        },
        copy(words.ifGo),
        copy(words.ifStop),
        { type: 'button', text: words.button, href: '{{plans_url}}' },
        { type: 'link', text: words.compare, href: '{{compare_url}}' },
        { type: 'section', divider: 'top', children: [aside(words.help)] },
        { type: 'footer' },
      ],
      dataVariables: {
        ends_on: words.when,
        price: words.price,
        projects: 7,
        people: 3,
        plans_url: 'https://example.com/plans',
        compare_url: 'https://example.com/plans/compare',
      },
    }
  },
})
