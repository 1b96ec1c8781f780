// What was bought, what it cost, and the invoice to keep.

import { aside, copy, facts, panel, starter } from '../starter.ts'

export const receipt = starter({
  id: 'receipt',
  kind: 'transactional',
  words: {
    en: {
      name: 'Receipt',
      purpose: 'What was bought and paid, with a link to the invoice.',
      subject: 'Your receipt {{invoice_number}}',
      previewText: '{{total}} paid. Thank you for your order.',
      heading: 'Thank you for your order',
      intro: 'We have received your payment of **{{total}}**. Here is what it is for.',
      facts: ['Invoice', 'Date', 'Paid with'],
      head: ['Item', 'Qty', 'Amount'],
      totals: ['Subtotal', 'VAT', 'Total'],
      button: 'Download the invoice',
      billedTo: '**Billed to**',
      help: 'Something is not right? Reply to this mail within 14 days, and we will put it right.',
      date: '12 May 2026',
      paid: 'Visa •••• 4242',
      lines: [
        { name: 'Desk lamp “Ferry”, brass', quantity: '1', price: '€89.00' },
        { name: 'Light bulb, warm white', quantity: '2', price: '€18.00' },
      ],
      amounts: ['€107.00', '€20.33', '€127.33'],
    },
    de: {
      name: 'Beleg',
      purpose: 'Was gekauft und bezahlt wurde, mit einem Link zur Rechnung.',
      subject: 'Ihr Beleg {{invoice_number}}',
      previewText: '{{total}} bezahlt. Danke für Ihre Bestellung.',
      heading: 'Danke für Ihre Bestellung',
      intro: 'Ihre Zahlung über **{{total}}** ist angekommen. Hier steht, wofür sie ist.',
      facts: ['Rechnung', 'Datum', 'Bezahlt mit'],
      head: ['Artikel', 'Menge', 'Betrag'],
      totals: ['Zwischensumme', 'MwSt.', 'Summe'],
      button: 'Rechnung herunterladen',
      billedTo: '**Rechnung an**',
      help: 'Etwas stimmt nicht? Antworten Sie innerhalb von 14 Tagen auf diese Mail, und wir bringen es in Ordnung.',
      date: '12. Mai 2026',
      paid: 'Visa •••• 4242',
      lines: [
        { name: 'Tischlampe „Fähre“, Messing', quantity: '1', price: '89,00\u00a0€' },
        { name: 'Leuchtmittel, warmweiß', quantity: '2', price: '18,00\u00a0€' },
      ],
      amounts: ['107,00\u00a0€', '20,33\u00a0€', '127,33\u00a0€'],
    },
  },
  mail: (words) => {
    const { lines, amounts } = words
    const [invoice = '', date = '', paid = ''] = words.facts
    const [subtotal = '', tax = '', total = ''] = words.totals
    return {
      content: [
        { type: 'header' },
        { type: 'heading', text: words.heading },
        copy(words.intro),
        panel([
          facts([
            [invoice, '{{invoice_number}}'],
            [date, '{{paid_on}}'],
            [paid, '{{paid_with}}'],
          ]),
        ]),
        {
          type: 'list',
          itemsVariable: 'lines',
          head: words.head,
          items: [['{{item.name}}', '{{item.quantity}}', '{{item.price}}']],
          totals: [
            [subtotal, '', '{{subtotal}}'],
            [tax, '', '{{tax}}'],
            [total, '', '{{total}}'],
          ],
          cellAlign: ['left', 'right', 'right'],
        },
        { type: 'button', text: words.button, href: '{{invoice_url}}' },
        {
          type: 'section',
          divider: 'top',
          children: [aside(`${words.billedTo}\n{{billing_name}}\n{{billing_address}}`), aside(words.help)],
        },
        { type: 'footer' },
      ],
      dataVariables: {
        invoice_number: '2026-0412',
        paid_on: words.date,
        paid_with: words.paid,
        lines,
        subtotal: amounts[0],
        tax: amounts[1],
        total: amounts[2],
        invoice_url: 'https://example.com/invoices/2026-0412.pdf',
        billing_name: 'Ada Lovelace',
        billing_address: '12 St James’s Square, London',
      },
    }
  },
})
