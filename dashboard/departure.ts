// Leaving the page by the dashboard's own decision: to the sign-in, or to reload. Unsaved input is stored in the browser and restored
// afterwards, so there is no confirmation.

let isOwn = false

export function departTo(address: string): void {
  isOwn = true
  location.assign(address)
}

export function loadAnew(): void {
  isOwn = true
  location.reload()
}

export function isDeparting(): boolean {
  return isOwn
}
