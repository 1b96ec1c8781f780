// Loaded before `paquebot serve` in a test (BUN_OPTIONS): a mistake of ours that no request catches, when a signal asks for it.

process.on('SIGUSR2', () => {
  throw new Error('nobody catches this')
})
process.on('SIGWINCH', () => {
  void Promise.reject(new Error('nobody waits for this'))
})
