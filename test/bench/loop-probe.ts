// Loaded into a server that is measured (serve.ts): tells the longest block of its event loop since it was asked last.

import { type LoopMonitor, monitorLoop } from '../support/loop-monitor.ts'

let monitor: LoopMonitor = monitorLoop()

process.on('message', () => {
  process.send?.(monitor.longestMs())
  monitor[Symbol.dispose]()
  monitor = monitorLoop()
})
