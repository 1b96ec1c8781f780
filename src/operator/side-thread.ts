// Starts the thread whose work is listed in side-work.ts.

export function startSideThread(): Worker {
  return new Worker(new URL('./side-work.ts', import.meta.url).href, { name: 'aside' })
}
