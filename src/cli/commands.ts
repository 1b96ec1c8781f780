// Every command, in the order of the help.

import { activity } from './activity.ts'
import { alarmTest } from './alarm.ts'
import { approvalCommands } from './approval.ts'
import { archiveCommands } from './archive.ts'
import { attention } from './attention.ts'
import { auditCommands } from './audit.ts'
import { backup, backupKey, restore } from './backup.ts'
import { campaignCommands } from './campaign.ts'
import { captured } from './captured.ts'
import type { Command } from './command.ts'
import { completionCommands } from './completion.ts'
import { contactCommands } from './contact.ts'
import { copy } from './copy.ts'
import { doctor } from './doctor.ts'
import { domainCommands } from './domain.ts'
import { importExport } from './import.ts'
import { init } from './init.ts'
import { keyCommands } from './key.ts'
import { listCommands } from './list.ts'
import { mailboxCommands } from './mailbox.ts'
import { messageCommands } from './message.ts'
import { migrate } from './migrate.ts'
import { paymentCommands } from './payments.ts'
import { resume } from './resume.ts'
import { campaignRevisionCommands, templateRevisionCommands } from './revision.ts'
import { ruleCommands } from './rule.ts'
import { secretCommands } from './secret.ts'
import { segmentCommands } from './segment.ts'
import { serve } from './serve.ts'
import { stats } from './stats.ts'
import { campaignWriting, templateCommands } from './template.ts'
import { testClock } from './test.ts'
import { top } from './top.ts'
import { upgrade } from './upgrade.ts'
import { userCommands } from './user.ts'
import { verify } from './verify.ts'
import { versionCommand } from './version.ts'
import { webhookCommands } from './webhook.ts'
import { whyCommands } from './why.ts'
import { workspaceCommands } from './workspace.ts'

const served: Command[] = [
  serve,
  init,
  ...workspaceCommands,
  ...keyCommands,
  testClock,
  ...userCommands,
  ...auditCommands,
  ...mailboxCommands,
  ...domainCommands,
  ...contactCommands,
  importExport,
  activity,
  ...messageCommands,
  captured,
  ...paymentCommands,
  ...campaignCommands,
  ...campaignWriting,
  ...campaignRevisionCommands,
  ...templateCommands,
  ...templateRevisionCommands,
  stats,
  ...segmentCommands,
  ...approvalCommands,
  ...listCommands,
  ...ruleCommands,
  ...webhookCommands,
  ...secretCommands,
  migrate,
  upgrade,
  copy,
  backup,
  backupKey,
  restore,
  ...archiveCommands,
  resume,
  attention,
  ...whyCommands,
  alarmTest,
  top,
  verify,
  doctor,
  versionCommand,
]

export const commands: Command[] = [...served, ...completionCommands(served)]
