// User and password of a URL, with their escapes decoded.

/** Empty where there is none; null when a % in them begins no escape. */
export function credentialsIn({ username, password }: URL): { user: string; password: string } | null {
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    return null
  }
}
