// Every kind of job, and what runs by the clock. A job that is not in this list is never run.

import type { Schedule } from './outbox/dispatcher.ts'
import type { JobKind } from './outbox/job.ts'
import { deliverMessage } from './sending/deliver-message.ts'

export const jobKinds: JobKind<never>[] = [deliverMessage]

export const schedules: Schedule[] = []
