// On what kind of device a mail was opened or a link followed, as far as the name of the browser tells: a class that is counted, while the
// name itself is kept nowhere. Who reads through a proxy shows its name, and an iPad may call itself a Mac.

export const devices = ['mobile', 'desktop', 'proxy', 'unknown'] as const
export type Device = (typeof devices)[number]

/** Mail services that load pictures in the name of their readers, when one opens a mail. */
const proxies = /GoogleImageProxy|YahooMailProxy|YahooCacheSystem/i
const mobile = /Mobi|Android|iPhone|iPad|iPod/i
const desktop = /Windows NT|Macintosh|X11|CrOS|Microsoft Outlook|Thunderbird/i

export function deviceOf(headers: Headers): Device {
  const agent = headers.get('user-agent') ?? ''
  if (proxies.test(agent)) return 'proxy'
  if (mobile.test(agent)) return 'mobile'
  return desktop.test(agent) ? 'desktop' : 'unknown'
}

/** The name of a count of mails: `opened on mobile`. */
export const countOn = (device: Device, count: 'opened' | 'clicked') => `${count} on ${device}`
