// The ways out of the page that the dashboard takes by itself: to the sign-in, or to be loaded anew. What was written is kept in the
// browser and there again afterwards, so nobody is asked.

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
