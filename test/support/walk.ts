// A browser without a window: it keeps cookies and follows redirects from one host to another.

/** The cookies of one browser, by the host that set them, whatever its port: so browsers do. */
export class Jar {
  readonly #cookies = new Map<string, Map<string, string>>()

  of(url: string): string {
    return [...(this.#cookies.get(new URL(url).hostname) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  take(url: string, headers: Headers): void {
    const { hostname: host } = new URL(url)
    const own = this.#cookies.get(host) ?? new Map<string, string>()
    this.#cookies.set(host, own)
    for (const set of headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      const [name = '', ...value] = pair.split('=')
      if (/Max-Age=0/.test(set)) own.delete(name)
      else own.set(name, value.join('='))
    }
  }
}

/** Follows redirects as a browser does, until a page comes or `until` is the next address. */
export async function walk(
  from: string,
  jar: Jar,
  until?: RegExp,
): Promise<{ url: string; status: number; text: string }> {
  let url = from
  for (let hops = 0; hops < 12; hops++) {
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: jar.of(url) } })
    jar.take(url, response.headers)
    const location = response.headers.get('location')
    if (location === null) return { url, status: response.status, text: await response.text() }
    url = new URL(location, url).href
    if (until?.test(url)) return { url, status: response.status, text: '' }
  }
  throw new Error(`${from} leads nowhere`)
}
