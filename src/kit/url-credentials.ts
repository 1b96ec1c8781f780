// User and password in a URL, as they were before they were escaped.

/** Empty where there is none; null when a % in them begins no escape. */
export function credentialsIn({ username, password }: URL): { user: string; password: string } | null {
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    return null
  }
}
