// An installation in which something was done, so that there is something to see on each screen of the dashboard. Names are as long as real
// ones are.

import type { Installation } from './installation.ts'
import { png } from './picture.ts'

export const brand = {
  companyName: 'Acme Ltd',
  companyAddress: '1 Harbour Road, Hull HU1 1AA',
  senderName: 'Acme',
  primaryColor: '#0f5e5a',
}
const column = (head: string, text: string) => ({
  type: 'container',
  padding: 0,
  children: [
    { type: 'heading', level: 3, text: head },
    { type: 'text', text },
  ],
})
export const shipped = {
  id: 'shipped',
  name: 'Order shipped',
  subject: 'Order {{order}} is on its way',
  content: [
    { type: 'header', text: 'Acme' },
    {
      type: 'container',
      children: [
        { type: 'heading', text: 'It is on its way, {{name}}' },
        {
          type: 'text',
          format: 'markdown',
          text: 'Order **{{order}}** left our warehouse on {{date}}. [Follow it on the map](https://example.com/track/{{order}}).',
        },
        {
          type: 'section',
          columns: 2,
          children: [
            column('To', '{{name}} Hopper\n12 St James Square, London'),
            column('With', 'Royal Mail\nTomorrow before noon'),
          ],
        },
        {
          type: 'list',
          head: ['', 'Pieces', 'GBP'],
          items: [
            ['Punched cards, box of 500', '2', '18.40'],
            ['Analytical engine, brass', '1', '949.00'],
          ],
          totals: [['In all', '3', '967.40']],
          cellAlign: ['left', 'right', 'right'],
        },
        { type: 'button', text: 'See your order', href: 'https://example.com/orders/{{order}}' },
      ],
    },
    { type: 'footer', text: 'Questions? Just answer this mail.' },
  ],
}
const trial = {
  start: { event: 'trialStarted' },
  goals: [{ event: 'subscribed' }],
  steps: [
    { id: 'two-days', type: 'wait', for: { amount: 2, unit: 'd' }, at: '09:00', weekdays: [1, 2, 3, 4, 5] },
    {
      id: 'team-or-not',
      type: 'branch',
      branches: [{ if: { contact: { field: 'plan', op: 'eq', value: 'team' } }, next: 'nobody-yet' }],
    },
    {
      id: 'ends-soon',
      type: 'send',
      templateId: 'trial-ends',
      test: {
        variants: [{ name: 'A' }, { name: 'B', subject: 'Your trial ends on Friday' }],
        winner: { by: 'hand' },
      },
    },
    { id: 'nobody-yet', type: 'webhook' },
  ],
}
const people = ['Ada', 'Grace', 'Hedy', 'Katherine', 'Mary', 'Radia', 'Barbara', 'Frances']
const news = [
  { type: 'heading', text: 'Hello {{contact.firstName|there}}' },
  { type: 'text', text: 'Our engines are lighter, and the cards are cheaper.' },
]

/** Needs trust level M1, where no DNS record is asked for, and an address to which webhooks may go. */
export async function fill(t: Installation, webhookUrl: string): Promise<void> {
  await t.patch('/v1/workspace', { brand }, 200)
  await t.template(shipped)
  const picture = new Uint8Array(png({ width: 480, height: 160, rgb: [15, 94, 90] }))
  await t.post('/v1/media?name=The%20letterhead%20of%20the%20house.png&alt=Green', picture, 201)
  await t.endpoint({
    url: webhookUrl,
    status: 'active',
    eventFilters: ['email.*', 'contact.*'],
    description: 'The warehouse',
  })
  const list = await t.mailingList({ name: 'Customers and friends of the house', isPublic: true })
  await t.post(
    '/v1/subscription-sources/create',
    { name: 'The form at the foot of each page', mailingListIds: [list.id], consentText: 'Send me the letter.' },
    201,
  )
  for (const [n, firstName] of people.entries()) {
    const email = `${firstName.toLowerCase()}.of.the.analytical.engines@mail.example.net`
    await t.contact({ email, firstName, plan: 'pro', mailingLists: { [list.id]: true } })
    const dataVariables = { name: firstName, order: String(4711 + n) }
    await t.mail({ email, templateId: 'shipped', dataVariables })
    await t.advance('1s')
  }
  const active = {
    any: [
      { event: 'trialStarted', withinDays: 30 },
      { campaign: 'sent', withinDays: 30 },
    ],
  }
  const filter = { all: [{ field: 'plan', op: 'eq', value: 'pro' }, active, { list: list.id, status: 'active' }] }
  await t.post('/v1/segments', { name: 'Customers with a plan who were here lately', filter }, 201)
  await t.post('/v1/sending-domains', { domain: 'newsletters.of.the.analytical.engine.example' }, 201)
  await t.post('/v1/suppressions', { email: 'mary.of.the.analytical.engines@mail.example.net' }, 201)
  const words = { subject: 'What is new in July', mailingListId: list.id, content: news }
  const { id } = await t.post('/v1/campaigns', { name: 'July', ...words }, 201)
  await t.post(`/v1/campaigns/${id}/send`, {}, 200)
  await t.settle()
  await t.post('/v1/campaigns', { name: 'August', ...words }, 201)
  const imprint = [{ type: 'text', text: 'Analytical Engines, 1 Quay, Le Havre' }]
  const block = { name: 'The imprint at the end of each mail', content: imprint }
  const { id: blockId } = await t.post('/v1/blocks', block, 201)
  const ending = [
    { type: 'if', variable: 'contact.plan', operator: 'equals', value: 'pro', children: [news[1]] },
    { type: 'block', blockId },
  ]
  await t.template({ id: 'trial-ends', name: 'The trial ends soon', subject: 'Your trial ends', content: ending })
  const rule = { eventName: 'trialStarted', action: 'send_template', templateId: 'trial-ends', enabled: true }
  await t.post('/v1/event-rules', rule, 201)
  const sequence = await t.post(
    '/v1/sequences',
    { name: 'The trial, from its beginning to its end', definition: trial },
    201,
  )
  await t.post(`/v1/sequences/${sequence.id}/publish`, { contentHash: sequence.contentHash }, 200)
  await t.post('/v1/events/send', { email: 'ada@example.net', eventName: 'trialStarted' }, 200)
  await t.settle()
}
