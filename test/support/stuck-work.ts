// A Worker that no work ever leaves, whatever it is.

import { serveSideThread } from '../../src/kit/side-thread-inside.ts'

function hold(): never {
  for (;;);
}

serveSideThread(new Proxy({}, { get: () => hold }))
