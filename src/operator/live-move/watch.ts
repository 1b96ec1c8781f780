// A server whose database moves while it is served (paquebot copy --live): it says whether it can go on with the target, ends the mail that
// it is at when it is asked to, lets requests wait while nobody can write, and then goes on with the target. Whatever ends the command, the
// server goes on with the source by itself, unless the target is served.

import { eq, sql } from 'drizzle-orm'
import type { EndQuery } from '../../../db/copy-ends.ts'
import { unfencing } from '../../../db/copy-fence.ts'
import { findTracks, untracking } from '../../../db/copy-live.ts'
import { type CopyMark, markName, type Phase, readMark } from '../../../db/copy-mark.ts'
import { type ServerAnswer, say, silentMs, step, toSql } from '../../../db/copy-turn.ts'
import { installation } from '../../../db/tables/workspaces.ts'
import { type App, write } from '../../core/app.ts'
import { minute, second } from '../../kit/duration.ts'
import { cannotFollow } from './follow.ts'

/** How often the mark is looked at: without a move, in one, and when others wait for what this server does. */
const lookEveryMs = { never: 2 * second, copying: 250, draining: 50, fenced: 20, moved: 20 }
/** A copy that nobody goes on with is given up after so long. */
const givenUpMs = 10 * minute

export interface Turning {
  /** Its row in `processes`. */
  bootId: string
  /** Begins nothing more; resolves once nothing is under way and what was counted is stored. */
  drain(): Promise<void>
  /** Requests wait from now on. */
  hold(): void
  /** The move has failed: everything goes on here. */
  goOn(): void
  /** The target is the database now; called once, after hold(). */
  moved(mark: CopyMark): void
}

/** Watches until stop() or until the database has moved. */
export class MoveWatch {
  readonly #app: App
  readonly #turning: Turning
  #timer: ReturnType<typeof setTimeout> | undefined
  #looking: Promise<void> = Promise.resolve()
  #isOver = false
  #drained: 'no' | 'draining' | 'yes' = 'no'
  #isHeld = false
  /** The last sign of life of the command, and when it was seen first; performance.now(). */
  #heard = { beat: -1, at: 0 }

  constructor(app: App, turning: Turning) {
    this.#app = app
    this.#turning = turning
    this.#next(lookEveryMs.never)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    clearTimeout(this.#timer)
    await this.#looking
  }

  #next(delayMs: number): void {
    if (this.#isOver) return
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then(
        (everyMs) => this.#next(everyMs),
        (error) => {
          this.#app.log.warn('the move of the database was not followed', { error })
          this.#next(lookEveryMs.copying)
        },
      )
    }, delayMs)
  }

  /** Returns when to look again. */
  async #look(): Promise<number> {
    const mark = await readMark(this.#app.db)
    if (mark?.role !== 'source' || mark.phase === undefined) {
      this.#goOn()
      return lookEveryMs.never
    }
    const silent = this.#silentMs(mark)
    if (mark.phase === 'moved') this.#end(mark)
    else if (mark.phase === 'copying') await this.#copying(mark, silent)
    else if (silent > silentMs) await this.#takeBack(mark)
    else if (mark.phase === 'draining') this.#drain(mark)
    else this.#hold()
    return lookEveryMs[mark.phase]
  }

  #silentMs({ beat = 0 }: CopyMark): number {
    if (beat !== this.#heard.beat) this.#heard = { beat, at: performance.now() }
    return performance.now() - this.#heard.at
  }

  async #copying(mark: CopyMark, silent: number): Promise<void> {
    this.#goOn()
    if (silent > givenUpMs) return await this.#giveUp(mark)
    if (mark.servers?.[this.#turning.bootId] !== undefined) return
    const why = await cannotFollow(this.#app.config, mark)
    await this.#say(mark, 'copying', why === null ? 'ready' : `cannot: ${why}`)
  }

  #drain(mark: CopyMark): void {
    if (this.#drained !== 'no') return void (this.#drained === 'yes' && this.#sayDrained(mark))
    this.#drained = 'draining'
    this.#app.log.info('the database is about to move: no mail is begun until it has', { to: mark.other })
    void this.#turning.drain().then(
      () => {
        if (this.#drained === 'draining') this.#drained = 'yes'
      },
      (error) => this.#app.log.error('what was under way did not end', { error }),
    )
  }

  #sayDrained(mark: CopyMark): void {
    if (mark.servers?.[this.#turning.bootId] === 'drained') return
    void this.#say(mark, 'draining', 'drained').catch((error) =>
      this.#app.log.warn('that nothing is under way could not be said', { error }),
    )
  }

  #hold(): void {
    this.#isHeld = true
    this.#turning.hold()
  }

  #goOn(): void {
    if (this.#drained === 'no' && !this.#isHeld) return
    this.#drained = 'no'
    this.#isHeld = false
    this.#turning.goOn()
  }

  /** The command is gone: nobody has served the target, and nobody will. */
  async #takeBack(mark: CopyMark): Promise<void> {
    await this.#write([step(mark.id, ['draining', 'fenced'], 'copying'), ...unfencing()])
    this.#app.log.warn('the command that moved the database is gone: it goes on here', { to: mark.other })
  }

  #end(mark: CopyMark): void {
    this.#isOver = true
    this.#hold()
    this.#turning.moved(mark)
  }

  /** A copy that ended before its end leaves nothing behind. */
  async #giveUp(mark: CopyMark): Promise<void> {
    await write(this.#app, async (tx) => {
      await tx.db.run(toSql(step(mark.id, ['copying'], 'copying')))
      const triggers = await tx.db.all<{ name: string }>(sql.raw(findTracks))
      for (const one of untracking(triggers.map(({ name }) => name))) await tx.db.run(toSql(one))
      await tx.db.delete(installation).where(eq(installation.name, markName))
    })
    this.#app.log.warn('a copy of the database was given up: its command was not heard of for ten minutes', {
      to: mark.other,
    })
  }

  async #say({ id }: CopyMark, phase: Phase, said: ServerAnswer): Promise<void> {
    await this.#write([say(id, phase, this.#turning.bootId, said)])
  }

  async #write(statements: EndQuery[]): Promise<void> {
    await write(this.#app, async (tx) => {
      for (const one of statements) await tx.db.run(toSql(one))
    })
  }
}
