// The words of Deliverability.

import { inLanguage } from '../../words.ts'

const english: Record<string, string> = { ok: 'right', missing: 'missing', wrong: 'wrong', unknown: 'no answer' }
const german: Record<string, string> = { ok: 'richtig', missing: 'fehlt', wrong: 'falsch', unknown: 'keine Antwort' }

export const words = inLanguage({
  en: {
    title: 'Deliverability',
    how: 'Mail from a domain is signed and trusted once these records are in its DNS.',
    empty: 'No domain yet. Add the one that your mail is from.',
    add: 'Add a domain',
    addIt: 'Add',
    states: english,
    notAsked: 'not checked yet',
    checked: 'Asked',
    check: 'Check the DNS now',
    records: (domain: string) => `Records of ${domain}`,
    state: 'State',
    what: 'What for',
    name: 'Name',
    value: 'Value',
    action: 'Copy',
    copyName: 'Copy the name',
    copyValue: 'Copy the value',
    uses: { ownership: 'whose it is', dkim: 'signature (DKIM)', spf: 'senders (SPF)', dmarc: 'policy (DMARC)' },
    status: { pending: 'not checked yet', verified: 'verified', failed: 'not verified' },
    remove: 'Remove',
    removeTitle: (domain: string) => `Remove ${domain}?`,
    removeHow: 'Sending from it is refused from now on, and its keys are deleted.',
  },
  de: {
    title: 'Zustellbarkeit',
    how: 'Mails von einer Domain sind unterschrieben, und man glaubt ihnen, wenn diese Einträge in ihrem DNS stehen.',
    empty: 'Noch keine Domain. Füge die hinzu, von der deine Mails kommen.',
    add: 'Eine Domain hinzufügen',
    addIt: 'Hinzufügen',
    states: german,
    notAsked: 'noch nicht gefragt',
    checked: 'Gefragt',
    check: 'Das DNS jetzt fragen',
    records: (domain: string) => `Einträge von ${domain}`,
    state: 'Stand',
    what: 'Wofür',
    name: 'Name',
    value: 'Wert',
    action: 'Kopieren',
    copyName: 'Namen kopieren',
    copyValue: 'Wert kopieren',
    uses: { ownership: 'wem sie gehört', dkim: 'Unterschrift (DKIM)', spf: 'Absender (SPF)', dmarc: 'Regel (DMARC)' },
    status: { pending: 'noch nicht gefragt', verified: 'bestätigt', failed: 'nicht bestätigt' },
    remove: 'Entfernen',
    removeTitle: (domain: string) => `${domain} entfernen?`,
    removeHow: 'Was von ihr aus zu senden ist, wird von nun an abgelehnt, und ihre Schlüssel sind weg.',
  },
})
