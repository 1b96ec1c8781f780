// Every command, in the order of the help. A command line loads the files of what it names, because the others would be most of its time.

import type { Command } from './command.ts'

type Load = () => Promise<Command | Command[]>

/** By the first word of their commands. */
const files: [words: string[], load: Load][] = [
  [['serve'], async () => (await import('./serve.ts')).serve],
  [['init'], async () => (await import('./init.ts')).init],
  [['workspace'], async () => (await import('./workspace.ts')).workspaceCommands],
  [['workspace'], async () => (await import('./move.ts')).moveCommands],
  [['key'], async () => (await import('./key.ts')).keyCommands],
  [['test'], async () => (await import('./test.ts')).testClock],
  [['user'], async () => (await import('./user.ts')).userCommands],
  [['audit'], async () => (await import('./audit.ts')).auditCommands],
  [['mailbox'], async () => (await import('./mailbox.ts')).mailboxCommands],
  [['domain'], async () => (await import('./domain.ts')).domainCommands],
  [['contact'], async () => (await import('./contact.ts')).contactCommands],
  [['import'], async () => (await import('./import.ts')).importExport],
  [['activity'], async () => (await import('./activity.ts')).activity],
  [['captured'], async () => (await import('./captured.ts')).captured],
  [['payments'], async () => (await import('./payments.ts')).paymentCommands],
  [['approval'], async () => (await import('./approval.ts')).approvalCommands],
  [['campaign'], async () => (await import('./campaign.ts')).campaignCommands],
  [['campaign'], async () => (await import('./revision.ts')).campaignRevisionCommands],
  [['rehearse'], async () => (await import('./rehearse.ts')).rehearse],
  [['media'], async () => [(await import('./media.ts')).mediaAdd]],
  [['template'], async () => (await import('./template.ts')).templateCommands],
  [['template'], async () => (await import('./revision.ts')).templateRevisionCommands],
  [['stats'], async () => (await import('./stats.ts')).stats],
  [['webhook'], async () => (await import('./webhook.ts')).webhookCommands],
  [['secret'], async () => (await import('./secret.ts')).secretCommands],
  [['migrate'], async () => (await import('./migrate.ts')).migrate],
  [['upgrade'], async () => (await import('./upgrade.ts')).upgrade],
  [['copy'], async () => (await import('./copy.ts')).copy],
  [['backup'], async () => (await import('./backup.ts')).backup],
  [['backup'], async () => (await import('./backup.ts')).backupKey],
  [['restore'], async () => (await import('./backup.ts')).restore],
  [['standby'], async () => (await import('./standby.ts')).standbyCommands],
  [['archive'], async () => (await import('./archive.ts')).archiveCommands],
  [['resume'], async () => (await import('./resume.ts')).resume],
  [['attention'], async () => (await import('./attention.ts')).attention],
  [['why'], async () => (await import('./why.ts')).whyCommands],
  [['alarm'], async () => (await import('./alarm.ts')).alarmTest],
  [['top'], async () => (await import('./top.ts')).top],
  [['verify'], async () => (await import('./verify.ts')).verify],
  [['doctor'], async () => (await import('./doctor.ts')).doctor],
  [['api'], async () => (await import('./operations.ts')).listOperations],
  [['version'], async () => (await import('./version.ts')).versionCommand],
]

/**
 * The commands that `first` and `second` may mean. The overview (`help`) has those of files only: the operations of the API are many, and
 * take a second to load; `api` lists them.
 */
export async function loadCommands(first: string, second: string): Promise<Command[]> {
  const named = await loaded(files.filter(([words]) => words.includes(first)))
  // A word after a command of one word may be what it searches for, or an operation: `activity bounced`, `activity get`.
  const isWhole = !/^[a-z][a-z-]*$/.test(second)
  if (named.some(({ name }) => name === `${first} ${second}` || (name === first && isWhole))) return named
  if (first === 'help' && second === '') return await withCompletion(await loaded(files))
  const { operationCommands } = await import('./operations.ts')
  const own = await loaded(files)
  // What has a file is not made of its operation, too.
  const made = operationCommands().filter(({ name }) => own.every((one) => one.name !== name))
  return await withCompletion([...own, ...made])
}

async function withCompletion(commands: Command[]): Promise<Command[]> {
  const { completionCommands } = await import('./completion.ts')
  return [...commands, ...completionCommands(commands)]
}

async function loaded(some: typeof files): Promise<Command[]> {
  return (await Promise.all(some.map(([, load]) => load()))).flat()
}
