// The mails that the golden files, the attack tests and the bench share: each uses a wide part of the component tree.

import type { Source } from '../../src/features/content/rendering/compile.ts'
import { parseTree } from '../../src/features/content/rendering/tree.ts'

export const orderMail: Source = {
  subject: 'Your order {{order_number}} is on its way',
  previewText: 'Arrives {{delivery_day|soon}}. Track it with one click.',
  locale: 'en-GB',
  kind: 'transactional',
  content: parseTree([
    {
      type: 'header',
      logoUrl: 'https://assets.example/logo.png',
      logoAlt: 'Harbour & Co',
      href: 'https://shop.example',
    },
    { type: 'heading', text: 'Thanks, {{contact.firstName|friend}}. Your order is on its way.' },
    {
      type: 'text',
      format: 'markdown',
      text: 'Order **{{order_number}}** left our warehouse in *Le Havre* this morning. It should reach you {{delivery_day|soon}}; the [delivery page](https://shop.example/track/{{order_number}}) knows more.',
    },
    { type: 'button', text: 'Track your parcel', href: '{{tracking_url}}' },
    { type: 'heading', level: 2, text: 'What is in the box' },
    { type: 'list', itemsVariable: 'order_items', items: ['{{item.quantity}} × {{item.name}}, {{item.price}}'] },
    {
      type: 'section',
      columns: 2,
      backgroundColor: '#eef2ff',
      children: [
        {
          type: 'container',
          children: [
            { type: 'heading', level: 3, text: 'Delivered to' },
            { type: 'text', text: '{{shipping_address}}' },
          ],
        },
        {
          type: 'container',
          children: [
            { type: 'heading', level: 3, text: 'Total paid' },
            { type: 'text', text: '{{total}}' },
          ],
        },
      ],
    },
    { type: 'heading', level: 3, text: 'If something is wrong' },
    {
      type: 'list',
      ordered: true,
      items: [
        'Keep the packaging.',
        { type: 'text', format: 'markdown', text: 'Take a photo **before** you unpack further.' },
        {
          type: 'link',
          text: 'Tell us within 14 days',
          href: 'mailto:{{support_email}}?subject=Order%20{{order_number}}',
        },
      ],
    },
    { type: 'footer', text: 'You get this mail because you ordered at Harbour & Co.' },
  ]).content,
}

export const marketingMail: Source = {
  subject: '{{contact.first_name|Hello}}, the autumn catalogue is here',
  previewText: 'Oilskins, lamps and the new rope bag.',
  locale: 'fr',
  kind: 'marketing',
  brand: { accentColor: '#0f766e', logoUrl: 'https://assets.example/brand.png' },
  content: parseTree([
    { type: 'header', align: 'center' },
    {
      type: 'container',
      padding: 32,
      children: [
        { type: 'image', src: 'https://assets.example/cover.jpg', alt: 'A jetty at dawn', width: 536, borderRadius: 8 },
        { type: 'heading', align: 'center', text: 'Automne au port' },
        { type: 'text', align: 'center', text: 'Trois nouveautés, choisies pour {{contact.city|vous}}.' },
        {
          type: 'section',
          columns: 3,
          children: [
            { type: 'image', src: 'https://assets.example/1.jpg', alt: 'Ciré', href: 'https://shop.example/1' },
            { type: 'image', src: 'https://assets.example/2.jpg', alt: 'Lampe', href: 'https://shop.example/2' },
            { type: 'image', src: 'https://assets.example/3.jpg', alt: 'Sac', href: 'https://shop.example/3' },
          ],
        },
        {
          type: 'button',
          align: 'center',
          text: 'Voir le catalogue',
          href: 'https://shop.example/a?x=1&y=2',
          fullWidth: true,
        },
      ],
    },
    {
      type: 'container',
      backgroundColor: '#134e4a',
      children: [
        { type: 'heading', level: 2, text: 'Le club' },
        { type: 'text', format: 'markdown', text: 'Dix pour cent, [toute l’année](https://shop.example/club).' },
        { type: 'button', text: 'Rejoindre', href: '{{company_website}}', backgroundColor: '#fff' },
      ],
    },
    { type: 'footer' },
  ]).content,
}

/** A receipt: a table from data, lines and spaces. */
export const receiptMail: Source = {
  subject: 'Your receipt for {{order_number}}',
  previewText: 'Paid: {{total}}',
  locale: 'en',
  kind: 'transactional',
  content: parseTree([
    { type: 'header' },
    { type: 'heading', text: 'Receipt' },
    { type: 'section', divider: 'top' },
    {
      type: 'list',
      head: ['Item', 'Quantity', 'Price'],
      cellAlign: ['left', 'right', 'right'],
      itemsVariable: 'order_items',
      items: [['{{item.name}}', '{{item.quantity}}', '{{item.price}}']],
      totals: [
        ['Delivery', '', 'free'],
        ['Total', '', '{{total}}'],
      ],
    },
    { type: 'section', height: 24 },
    { type: 'section', divider: 'bottom', children: [{ type: 'text', text: 'Paid by card.' }] },
    { type: 'footer' },
  ]).content,
}

export const rightToLeftMail: Source = {
  subject: 'أهلاً {{contact.firstName|صديقنا}}',
  locale: 'ar',
  kind: 'transactional',
  content: parseTree([
    { type: 'heading', text: 'أهلاً {{contact.firstName|صديقنا}}' },
    { type: 'text', text: 'تم إنشاء حسابك. أكّد عنوان بريدك للمتابعة.' },
    { type: 'button', text: 'تأكيد العنوان', href: '{{confirm_url}}' },
    { type: 'list', items: ['الرابط صالح لسبعة أيام', 'لا تشارك الرابط'] },
    { type: 'footer' },
  ]).content,
}

export const orderValues = {
  order_number: 'HB-20418',
  delivery_day: 'on Thursday',
  tracking_url: 'https://track.example/HB-20418?lang=en',
  shipping_address: 'Ada Lovelace\n12 St James’s Square\nLondon SW1Y 4JH',
  total: '£128.40',
  order_items: [
    { name: 'Rope bag, navy', quantity: 1, price: '£64.00' },
    { name: 'Storm lamp', quantity: 2, price: '£32.20 each' },
  ],
  contact: { firstName: 'Ada', city: 'Le Havre' },
  company_name: 'Harbour & Co',
  company_address: '3 quai de Southampton, 76600 Le Havre, France',
  company_website: 'https://shop.example',
  support_email: 'help@shop.example',
  unsubscribe_url: 'https://mail.example/u/abc',
  confirm_url: 'https://mail.example/confirm/abc',
}
