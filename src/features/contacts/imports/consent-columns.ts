// Which columns of an export say whether somebody may be mailed. Those that services document have a meaning here; a column that only
// looks as if it had one is unclear, and nothing is imported before the caller says what it means: a no is never taken for a property.

import { headerKey, headerWords } from './headers.ts'

/** Each is read in consent.ts. `optedOut`: a yes is a no to mail, and a no says nothing. */
export const consentColumns = [
  'subscribed',
  'status',
  'unsubscribed',
  'optedOut',
  'confirmed',
  'bounced',
  'complained',
  'blocklisted',
  'unsubscribeReason',
] as const
export type ConsentColumn = (typeof consentColumns)[number]

/** Headers as exports write them, as keys, and without the words that change nothing. */
const headers: Record<ConsentColumn, string[]> = {
  subscribed: [
    ...['subscribed', 'subscribedtonewsletter', 'newslettersubscribed', 'subscribedtomarketing', 'marketingsubscribed'],
    ...['acceptsmarketing', 'acceptmarketing', 'acceptedmarketing', 'acceptsnewsletter', 'acceptsemails'],
    ...['optin', 'optedin', 'marketingoptin', 'marketingoptedin', 'optinmarketing', 'newsletteroptin'],
    ...['consent', 'consented', 'consentgiven', 'marketingconsent', 'consentmarketing', 'consenttomarketing'],
    ...['newsletterconsent', 'newsletter', 'newslettersubscription', 'receivesnewsletter', 'wantsnewsletter'],
    ...['receivesmarketing', 'receivemarketing', 'marketingallowed', 'allowmarketing', 'marketingpermission'],
    ...['abonniert', 'newsletterabonniert', 'einwilligung', 'werbeeinwilligung', 'newslettereinwilligung'],
  ],
  status: [
    ...['status', 'state', 'subscriptionstatus', 'subscriberstatus', 'memberstatus', 'emailmarketing'],
    ...['marketingstatus', 'marketingstate', 'optinstatus', 'optinstate', 'consentstatus', 'consentstate'],
    ...['marketingconsentstatus', 'marketingconsentstate', 'newsletterstatus', 'newsletterstate'],
  ],
  unsubscribed: ['unsubscribed'],
  optedOut: [
    ...['unsubscribe', 'unsub', 'unsubtime', 'unsubscribedfrommarketing', 'unsubscribedfromnewsletter'],
    ...['marketingunsubscribed', 'newsletterunsubscribed', 'optout', 'optedout', 'marketingoptout'],
    ...['marketingoptedout', 'optedoutofmarketing', 'newsletteroptout', 'donotemail', 'donotmail', 'donotcontact'],
    ...['donotsend', 'donotmarket', 'dontemail', 'noemail', 'noemails', 'nomarketing', 'nonewsletter'],
    ...['emaildisabled', 'emailsdisabled', 'maildisabled', 'consentwithdrawn', 'consentrevoked', 'withdrawn'],
    ...['abgemeldet', 'newsletterabgemeldet', 'ausgetragen', 'abbestellt'],
  ],
  confirmed: ['confirmed', 'confirmtime'],
  bounced: ['bounced', 'bounce', 'hardbounced', 'hardbounce', 'cleaned', 'cleantime', 'undeliverable'],
  complained: [
    ...['complained', 'complaint', 'spamcomplaint', 'spamcomplaints', 'spam', 'spamreport', 'spamreported'],
    ...['markedasspam', 'markedspam', 'reportedspam', 'reportedasspam', 'abuse', 'abusereport'],
  ],
  blocklisted: [
    ...['blocklisted', 'blacklisted', 'denylisted', 'blocklist', 'blacklist', 'denylist', 'blocked', 'suppressed'],
    ...['suppression', 'gesperrt'],
  ],
  unsubscribeReason: ['unsubreason', 'unsubscribereason'],
}

/** Of what is over for good, exports give the time: `unsubscribed_at`. */
const happens: ConsentColumn[] = ['unsubscribed', 'optedOut', 'confirmed', 'bounced', 'complained', 'blocklisted']
const times = ['', 'at', 'on', 'date', 'time', 'timestamp']

const columnOfKey = new Map(
  consentColumns.flatMap((column) =>
    headers[column].flatMap((key) =>
      (happens.includes(column) ? times : ['']).map((time) => [key + time, column] as const),
    ),
  ),
)

/** `is_unsubscribed`, `Email Opt Out`, `globalUnsubscribe`, `Unsubscribed from all email` */
const changesNothing = new Set(['is', 'has', 'have', 'was', 'the', 'e', 'mail', 'mails', 'email', 'emails'])
for (const word of ['of', 'to', 'from', 'for', 'all', 'global', 'globally', 'flag', 'contact']) changesNothing.add(word)

/** What a header, or the path to an attribute, says about consent. `unclear`: perhaps something. Null: nothing. */
export function findConsentColumn(header: string): ConsentColumn | 'unclear' | null {
  const key = headerKey(header)
  const words = headerWords(header)
  const core = words.filter((word) => !changesNothing.has(word)).join('')
  if (isOfAnotherWay(words)) return null
  const known = columnOfKey.get(key) ?? nearlyKnown(core, words) ?? knownWithin(header)
  if (known !== undefined) return known
  return mayMeanConsent(key, words) ? 'unclear' : null
}

/** Where `unsubscribed` is the state of everybody, a no is a yes to mail; "not unsubscribed from all mail" is not. */
function nearlyKnown(core: string, words: string[]): ConsentColumn | undefined {
  const column = columnOfKey.get(core)
  // "Contact status" is one of sales.
  if (column === 'status' && words.includes('contact')) return undefined
  return column === 'unsubscribed' ? 'optedOut' : column
}

/** `prefs.newsletter` is one; `order.status` is not. */
function knownWithin(path: string): ConsentColumn | undefined {
  const at = path.lastIndexOf('.')
  const found = at < 1 ? null : findConsentColumn(path.slice(at + 1))
  return found === null || found === 'unclear' || found === 'status' ? undefined : found
}

/** Telephones have consents of their own. */
function isOfAnotherWay(words: string[]): boolean {
  return words.some((word) => otherWays.test(word)) && !words.some((word) => /^e?mails?$/.test(word))
}
const otherWays = /^(sms\w*|mms|rcs|whatsapp|viber|phone|mobile|tel|calls?|push|fax|postal)$/

/** Columns that services write beside the ones above; they prove something, or tell what it was about. */
const saysNothing = new Set([
  ...['optintime', 'optinip', 'confirmip', 'unsubcampaigntitle', 'unsubcampaignid', 'unsubreasonother'],
  ...['cleancampaigntitle', 'cleancampaignid'],
])

const leaving =
  /unsub|opt(ed)?out|suppress|bounc|complain|spam|abuse|junk|(black|block|deny)list|donot|dont(e?mail|contact)|dnd$|^dn[ce]$|withdr|revok|abgemeld|abmeld|abbestell|austrag|gesperrt|widerruf|widerspr|desabonn|desinscri|cancellat|afgemeld|uitgeschr|отпис|wypis/
const agreeing =
  /subscri|suscri|inscri|iscri|abonn|angemeld|opt(ed)?in|consen|einwillig|zustimm|toestemm|permiss|gdpr|dsgvo|rgpd|marketing|newsletter|infolettre|boletin|nieuwsbrief|rundbrief|werbung|mailable|contactable|deliverab|reachable|подпис|соглас|рассыл|zgod/
/** Of something that has a consent beside it: `subscription_plan`, `newsletter_source`. */
const aspects =
  /^(plan|id|ids|tier|price|amount|currency|source|sources|referrer|utm|interval|ip|form|page|mrr|product|url|link|token|hash|count|campaign)$/
const addresses = /^(url|link|token|hash)$/
const verbs =
  /^(accept\w*|agree\w*|allow\w*|may|can|ok|okay|want\w*|wish\w*|receiv\w*|get|gets|send|stop|no|not|never|enabled?|disabled?|active|inactive|valid|invalid|verified|unverified|confirmed|prefs?|preferences?|permitted|blocked|rejected|declined)$/
const objects = /^(e?mail\w*|contact\w*|promo\w*|offers?|updates?|campaigns?|communicat\w*|messages?|news)$/
const alone = new Set(['active', 'isactive', 'inactive', 'enabled', 'disabled', 'isenabled', 'isdisabled', 'mailok'])

function mayMeanConsent(key: string, words: string[]): boolean {
  if (saysNothing.has(key)) return false
  if (leaving.test(key)) return !words.some((word) => addresses.test(word))
  if (agreeing.test(key)) return !words.some((word) => aspects.test(word))
  return alone.has(key) || (words.some((word) => verbs.test(word)) && words.some((word) => objects.test(word)))
}
