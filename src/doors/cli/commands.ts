// Every command, in the order of the help. A command line loads the files of what it names, because the others would be most of its time.

import type { Command } from './command.ts'

type Load = () => Promise<Command | Command[]>

/** By the first word of their commands. */
const files: [words: string[], load: Load][] = [
  [['serve'], async () => (await import('./serve.ts')).serve],
  [['init'], async () => (await import('./init.ts')).init],
  [['workspace'], async () => (await import('./workspace.ts')).workspaceCommands],
  [['key'], async () => (await import('./key.ts')).keyCommands],
  [['test'], async () => (await import('./test.ts')).testClock],
  [['user'], async () => (await import('./user.ts')).userCommands],
  [['audit'], async () => (await import('./audit.ts')).auditCommands],
  [['mailbox'], async () => (await import('./mailbox.ts')).mailboxCommands],
  [['domain'], async () => (await import('./domain.ts')).domainCommands],
  [['contact'], async () => (await import('./contact.ts')).contactCommands],
  [['import'], async () => (await import('./import.ts')).importExport],
  [['activity'], async () => (await import('./activity.ts')).activity],
  [['message'], async () => (await import('./message.ts')).messageCommands],
  [['captured'], async () => (await import('./captured.ts')).captured],
  [['payments'], async () => (await import('./payments.ts')).paymentCommands],
  [['campaign'], async () => (await import('./campaign.ts')).campaignCommands],
  [['campaign'], async () => (await import('./template.ts')).campaignWriting],
  [['campaign'], async () => (await import('./revision.ts')).campaignRevisionCommands],
  [['template'], async () => (await import('./template.ts')).templateCommands],
  [['template'], async () => (await import('./revision.ts')).templateRevisionCommands],
  [['stats'], async () => (await import('./stats.ts')).stats],
  [['segment'], async () => (await import('./segment.ts')).segmentCommands],
  [['approval'], async () => (await import('./approval.ts')).approvalCommands],
  [['list'], async () => (await import('./list.ts')).listCommands],
  [['rule', 'event'], async () => (await import('./rule.ts')).ruleCommands],
  [['webhook'], async () => (await import('./webhook.ts')).webhookCommands],
  [['secret'], async () => (await import('./secret.ts')).secretCommands],
  [['migrate'], async () => (await import('./migrate.ts')).migrate],
  [['upgrade'], async () => (await import('./upgrade.ts')).upgrade],
  [['copy'], async () => (await import('./copy.ts')).copy],
  [['backup'], async () => (await import('./backup.ts')).backup],
  [['backup'], async () => (await import('./backup.ts')).backupKey],
  [['restore'], async () => (await import('./backup.ts')).restore],
  [['archive'], async () => (await import('./archive.ts')).archiveCommands],
  [['resume'], async () => (await import('./resume.ts')).resume],
  [['attention'], async () => (await import('./attention.ts')).attention],
  [['why'], async () => (await import('./why.ts')).whyCommands],
  [['alarm'], async () => (await import('./alarm.ts')).alarmTest],
  [['top'], async () => (await import('./top.ts')).top],
  [['verify'], async () => (await import('./verify.ts')).verify],
  [['doctor'], async () => (await import('./doctor.ts')).doctor],
  [['version'], async () => (await import('./version.ts')).versionCommand],
]

/** The commands that begin with this word; all of them where none does, and for `help` and `completion`. */
export async function loadCommands(word: string): Promise<Command[]> {
  const named = files.filter(([words]) => words.includes(word))
  if (named.length > 0) return await loaded(named)
  const all = await loaded(files)
  const { completionCommands } = await import('./completion.ts')
  return [...all, ...completionCommands(all)]
}

async function loaded(some: typeof files): Promise<Command[]> {
  return (await Promise.all(some.map(([, load]) => load()))).flat()
}
