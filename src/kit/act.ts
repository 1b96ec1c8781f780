// The act that the current work belongs to, for the audit log: who does it, and from where. It is known while the request, the job or the
// command runs; without one, the system itself acts.

import { AsyncLocalStorage } from 'node:async_hooks'

export const actorKinds = [
  'person',
  'api_key',
  'mailbox_token',
  'oauth_grant',
  'source',
  'operator',
  'system',
  'visitor',
] as const
export type ActorKind = (typeof actorKinds)[number]

/** `id`: of the person, the key, the token or the source; the others have their kind for it. */
export interface Actor {
  kind: ActorKind
  id: string
}

interface ActOrigin {
  /** An operationId, `mcp` and a tool, a command, a kind of job. */
  operation: string
  ip: string | null
  /** The program that asked: its User-Agent, or who runs the command. */
  client: string | null
}

export interface Act {
  /** A visitor until a credential is known. */
  actor: Actor
  /** Where it belongs; '' until that is known. */
  workspaceId: string
  requestId: string | null
  /** Of the line in the log, once there is one. */
  lineId: string | null
  /** Ids of what it was about, beside those in its path. */
  things: string[]
  /** It was accepted and changed nothing, so it leaves no line. */
  idle: boolean
  /** Looked up only for a line. */
  about(): ActOrigin
}

const acts = new AsyncLocalStorage<Act>()
const system: Actor = { kind: 'system', id: 'system' }

/** One that belongs to nobody yet. */
export function newAct(about: Act['about'], known: Partial<Act> = {}): Act {
  return {
    actor: { kind: 'visitor', id: 'visitor' },
    workspaceId: '',
    requestId: null,
    lineId: null,
    things: [],
    idle: false,
    about,
    ...known,
  }
}

/** Of a job, or of what runs by itself. */
export function systemAct(operation: string): Act {
  return newAct(() => ({ operation, ip: null, client: null }), { actor: system })
}

/** Whose the present act is. */
export function currentActor(): Actor {
  return acts.getStore()?.actor ?? system
}

/** Undefined where the system acts by itself. */
export function currentAct(): Act | undefined {
  return acts.getStore()
}

/** Runs `work`, and all it waits for, as that act. */
export function acting<T>(act: Act, work: () => T): T {
  return acts.run(act, work)
}

/** Says whose the present act is. */
export function actAs(actor: Actor, workspaceId?: string): void {
  const act = acts.getStore()
  if (act) act.actor = actor
  if (workspaceId !== undefined) actIn(workspaceId)
}

/** Says what the present act was about, where its path does not. */
export function actOn(id: string): void {
  acts.getStore()?.things.push(id)
}

/** Says that the present act changed nothing, although its answer is no refusal. */
export function didNothing(): void {
  const act = acts.getStore()
  if (act) act.idle = true
}

/** Says in which workspace the present act is, whoever does it. */
export function actIn(workspaceId: string): void {
  const act = acts.getStore()
  if (act) act.workspaceId = workspaceId
}
