// What must always be true of the database, as queries that find the rows that break it. Run after every test, by `paquebot verify` and by
// `doctor`.

import { sql } from 'drizzle-orm'
import { recipientOutcomes } from '../../../db/tables/campaigns.ts'
import { jobStates } from '../../../db/tables/outbox.ts'
import type { Reader } from '../app.ts'

interface Invariant {
  name: string
  says: string
  /** Selects one text column, `violation`: what is wrong. */
  violations: string
}

/** States of an unfinished message: it must have a job. */
const openMessage = "('queued', 'sending', 'delayed')"
const openJob = "('pending', 'held', 'running')"
/** States of a campaign recipient that may still be sent to; and all states. */
const openRecipient = "('queued', 'sending', 'delayed')"
const recipientStates = `('queued', 'sending', 'delayed', ${recipientOutcomes.map((outcome) => `'${outcome}'`).join(', ')})`

const invariants: Invariant[] = [
  {
    name: 'I1',
    says: 'a job is in one of the seven states, and has an end time exactly when it has ended',
    violations: `SELECT id || ' is ' || state AS violation FROM outbox_jobs
      WHERE state NOT IN (${jobStates.map((state) => `'${state}'`).join(', ')})
      OR (state IN ('done', 'dead', 'cancelled')) <> (finished_at IS NOT NULL)`,
  },
  {
    name: 'I2',
    says: 'a running job has a lease, a fence and an open attempt of that fence',
    violations: `SELECT id AS violation FROM outbox_jobs WHERE state = 'running' AND (lease_owner IS NULL OR lease_until IS NULL OR fence < 1
      OR NOT EXISTS (SELECT 1 FROM outbox_attempts a WHERE a.job_id = id AND a.fence = outbox_jobs.fence AND a.ended_at IS NULL))`,
  },
  {
    name: 'I3',
    says: 'fences only rise, and an attempt that is over is closed',
    violations: `SELECT a.job_id || ' fence ' || a.fence AS violation FROM outbox_attempts a JOIN outbox_jobs j ON j.id = a.job_id
      WHERE a.fence > j.fence OR (a.ended_at IS NULL AND NOT (j.state = 'running' AND j.fence = a.fence))`,
  },
  {
    name: 'I4',
    says: 'a job is tried at most attempts_max times, and a dead one says why',
    violations: `SELECT id || ' attempt ' || attempt AS violation FROM outbox_jobs
      WHERE attempt > attempts_max OR attempt < 0 OR (state = 'dead' AND last_code IS NULL)`,
  },
  {
    name: 'I6',
    says: 'a message on its way has a job',
    violations: `SELECT id || ' is ' || status AS violation FROM messages WHERE status IN ${openMessage} AND NOT EXISTS (
      SELECT 1 FROM outbox_jobs j WHERE j.id = job_id AND j.state IN ${openJob} AND j.payload ->> 'messageId' = messages.id)`,
  },
  {
    name: 'I6b',
    says: 'a job that delivers a message has a message on its way',
    violations: `SELECT j.id || ' for ' || coalesce(m.id || ' ' || m.status, 'no message') AS violation FROM outbox_jobs j
      LEFT JOIN messages m ON m.id = j.payload ->> 'messageId' AND m.job_id = j.id
      WHERE j.kind IN ('deliver-message', 'deliver-campaign-mail', 'deliver-sequence-mail') AND j.state IN ${openJob} AND (m.id IS NULL OR m.status NOT IN ${openMessage})`,
  },
  {
    name: 'I7',
    says: 'a campaign is sent exactly when its snapshot is taken and every recipient has an outcome',
    violations: `SELECT c.id || ' is ' || c.status AS violation FROM campaigns c WHERE
      (c.status = 'sent') <> (c.snapshot_done_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM campaign_recipients r WHERE r.campaign_id = c.id AND r.state IN ${openRecipient}))
      AND c.status IN ('sent', 'sending')`,
  },
  {
    name: 'I7b',
    says: 'the counts of a campaign are those of its ledger',
    violations: `SELECT coalesce(n.campaign_id, r.campaign_id) || ' ' || coalesce(n.name, r.state) || ' counts ' || coalesce(n.count, 0) || ', not '
      || coalesce(r.count, 0) AS violation
      FROM (SELECT campaign_id, name, count FROM campaign_counts WHERE name IN ${recipientStates} AND count <> 0) n
      FULL JOIN (SELECT campaign_id, state, count(*) AS count FROM campaign_recipients GROUP BY campaign_id, state) r
      ON r.campaign_id = n.campaign_id AND r.state = n.name WHERE n.count IS NOT r.count`,
  },
  {
    name: 'I7d',
    says: 'the counts of a variant of a test are those of the people who test it',
    violations: `SELECT coalesce(n.campaign_id, r.campaign_id) || ' ' || coalesce(n.name, r.name) || ' counts ' || coalesce(n.count, 0) || ', not '
      || coalesce(r.count, 0) AS violation
      FROM (SELECT campaign_id, name, count FROM campaign_counts
        WHERE substr(name, 1, instr(name, ' of ') - 1) IN ${recipientStates} AND count <> 0) n
      FULL JOIN (SELECT r.campaign_id, r.state || ' of ' || r.variant AS name, count(*) AS count FROM campaigns c
        JOIN campaign_recipients r ON r.campaign_id = c.id WHERE c.test IS NOT NULL AND r.variant IS NOT NULL GROUP BY 1, 2) r
      ON r.campaign_id = n.campaign_id AND r.name = n.name WHERE n.count IS NOT r.count`,
  },
  {
    name: 'I7c',
    says: 'a mail that is held is of a campaign that is paused or cancelled, or of a sequence that is paused',
    violations: `SELECT j.id || ' of ' || j.partition_key AS violation FROM outbox_jobs j WHERE j.state = 'held' AND j.lane = 'mail.campaign' AND NOT EXISTS (
      SELECT 1 FROM campaigns c WHERE c.id = j.partition_key AND c.status IN ('paused', 'cancelled')) AND NOT EXISTS (
      SELECT 1 FROM sequences q WHERE q.id = j.partition_key AND q.state = 'paused')`,
  },
  {
    name: 'I9',
    says: 'a recipient of a campaign has the state of its mail',
    violations: `SELECT r.campaign_id || ' ' || r.contact_id || ' is ' || r.state || ', its job ' || coalesce(j.state, 'gone') AS violation
      FROM campaign_recipients r LEFT JOIN messages m ON m.id = r.message_id LEFT JOIN outbox_jobs j ON j.id = m.job_id
      WHERE (r.state IN ('sending', 'delayed') AND coalesce(j.state, '') NOT IN ${openJob})
      OR (r.state = 'uncertain' AND j.state <> 'ambiguous') OR (r.state = 'queued' AND r.message_id IS NOT NULL)
      OR (r.state NOT IN ${openRecipient} AND j.state IN ${openJob})`,
  },
  {
    name: 'I18',
    says: 'who is in a sequence and waits for a mail has one on its way, or one whose end nobody knows',
    violations: `SELECT r.id || ' is ' || r.state || ', its job ' || coalesce(j.state, 'gone') AS violation FROM sequence_runs r
      LEFT JOIN messages m ON m.id = r.message_id LEFT JOIN outbox_jobs j ON j.id = m.job_id
      WHERE r.state IN ('sending', 'uncertain') AND CASE r.state WHEN 'sending' THEN coalesce(j.state, '') NOT IN ${openJob}
      ELSE coalesce(j.state, '') <> 'ambiguous' END`,
  },
  {
    name: 'I18b',
    says: 'whoever waits in a sequence that is active is woken when they are due',
    violations: `SELECT r.sequence_id || ' at ' || coalesce(r.due, 'no time') AS violation FROM (
      SELECT sequence_id, min(due_at) AS due, count(*) - count(due_at) AS timeless FROM sequence_runs
      WHERE state = 'waiting' GROUP BY sequence_id) r JOIN sequences q ON q.id = r.sequence_id AND q.state = 'active'
      WHERE r.timeless > 0 OR NOT EXISTS (SELECT 1 FROM outbox_jobs j WHERE j.workspace_id = q.workspace_id AND j.kind = 'sequence.page'
        AND j.dedupe_key = q.id AND (j.state = 'running' OR (j.state = 'pending' AND j.due_at <= r.due)))`,
  },
  {
    name: 'I18c',
    says: 'what happened to contacts and a sequence waits for is looked at by a job',
    violations: `SELECT DISTINCT s.workspace_id AS violation FROM sequence_signals s WHERE NOT EXISTS (
      SELECT 1 FROM outbox_jobs j WHERE j.workspace_id = s.workspace_id AND j.kind = 'sequence.signals' AND j.state IN ${openJob})`,
  },
  {
    name: 'I18d',
    says: 'the counts of a sequence are those of its people; of those who left, also those who were forgotten since',
    violations: `SELECT sequence_id || ' ' || state || ' counts ' || sum(counted) || ', not ' || sum(found) AS violation FROM (
      SELECT sequence_id, state, people AS counted, 0 AS found FROM sequence_people
      UNION ALL SELECT sequence_id, state, 0, count(*) FROM sequence_runs GROUP BY sequence_id, state)
      GROUP BY sequence_id, state HAVING sum(counted) < sum(found) OR (state NOT IN ('completed', 'exited') AND sum(counted) > sum(found))
      UNION ALL SELECT sequence_id || ' ' || step_id || ' has ' || sum(counted) || ', not ' || sum(found) FROM (
      SELECT sequence_id, version, step_id, here AS counted, 0 AS found FROM sequence_step_counts
      UNION ALL SELECT sequence_id, version, step_id, 0, count(*) FROM sequence_runs WHERE ended_at IS NULL
        GROUP BY sequence_id, version, step_id)
      GROUP BY sequence_id, version, step_id HAVING sum(counted) <> sum(found)`,
  },
  {
    name: 'I18f',
    says: 'the mails that test a variant of a step are counted; so are those of people who were forgotten since',
    violations: `SELECT r.sequence_id || ' ' || p.step_id || ' sent ' || p.variant || ' ' || count(*) || ' times' AS violation
      FROM sequence_path p JOIN sequence_runs r ON r.id = p.run_id WHERE p.variant IS NOT NULL AND p.outcome = 'sent'
      GROUP BY r.sequence_id, p.step_id, p.variant HAVING count(*) > coalesce((SELECT c.count FROM sequence_test_counts c
        WHERE c.sequence_id = r.sequence_id AND c.step_id = p.step_id AND c.version = p.variant ->> 'version' AND c.name = 'sent of ' || (p.variant ->> 'name')), 0)`,
  },
  {
    name: 'I18e',
    says: 'an event is gathered once in a sequence, for somebody who is in it',
    violations: `SELECT r.sequence_id || ' has ' || e.value || ' ' || count(*) || ' times' AS violation FROM sequence_runs r
      JOIN json_each(r.gathered) g JOIN json_each(g.value, '$.ids') e WHERE r.gathered IS NOT NULL
      GROUP BY r.sequence_id, e.value HAVING count(*) > 1 OR max(r.ended_at) IS NOT NULL`,
  },
  {
    name: 'I6c',
    says: 'a webhook delivery that is pending has a job that is, and one that is not has none',
    violations: `SELECT d.id || ' is ' || d.state || ', its job ' || coalesce(j.state, 'gone') AS violation FROM webhook_deliveries d
      LEFT JOIN outbox_jobs j ON j.id = d.job_id WHERE (d.state = 'pending') <> (coalesce(j.state, '') IN ${openJob})`,
  },
  {
    name: 'I6d',
    says: 'a job that delivers a webhook has its delivery',
    violations: `SELECT j.id AS violation FROM outbox_jobs j WHERE j.kind = 'deliver-webhook' AND j.state IN ${openJob} AND NOT EXISTS (
      SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = j.payload ->> 'endpointId' AND d.id = j.payload ->> 'deliveryId' AND d.job_id = j.id)`,
  },
  {
    name: 'I8',
    says: 'the journal agrees with the message: accepted is sent, and only an open or ambiguous job is handing over',
    violations: `SELECT g.message_id || ' is ' || g.phase AS violation FROM send_journal g LEFT JOIN outbox_jobs j ON j.id = g.job_id
      LEFT JOIN messages m ON m.id = g.message_id
      WHERE (g.phase = 'accepted' AND (m.status IN ${openMessage} OR j.state IN ${openJob}))
      OR (g.phase = 'handing_over' AND j.state NOT IN ('running', 'ambiguous'))`,
  },
  {
    name: 'I17',
    says: 'the content of a template, of a campaign or of a variant of its test is a revision of its own',
    violations: `SELECT c.template_id || ' ' || c.locale AS violation FROM template_contents c
      LEFT JOIN content_revisions r ON r.id = c.revision_id AND r.owner_kind = 'template' AND r.owner_id = c.template_id WHERE r.id IS NULL
      UNION ALL SELECT c.campaign_id || ' ' || c.locale FROM campaign_contents c
      LEFT JOIN content_revisions r ON r.id = c.revision_id AND r.owner_kind = 'campaign' AND r.owner_id = c.campaign_id WHERE r.id IS NULL
      UNION ALL SELECT c.id || ' ' || (v.value ->> 'variant') FROM campaigns c JOIN json_each(c.variant_contents) v
      LEFT JOIN content_revisions r ON r.id = v.value ->> 'revisionId' AND r.owner_kind = 'campaign' AND r.owner_id = c.id WHERE r.id IS NULL`,
  },
  {
    name: 'I5',
    says: 'what a rule has scheduled has its job',
    violations: `SELECT r.rule_id || ' for ' || r.event_id AS violation FROM rule_runs r WHERE r.status = 'scheduled' AND NOT EXISTS (
      SELECT 1 FROM outbox_jobs j WHERE j.id = r.job_id AND (j.state IN ${openJob} OR j.state = 'ambiguous'))`,
  },
  {
    name: 'I5b',
    says: 'a job that delivers a template was scheduled by a rule, for an event',
    violations: `SELECT j.id AS violation FROM outbox_jobs j WHERE j.kind = 'deliver-template' AND j.state IN ${openJob} AND NOT EXISTS (
      SELECT 1 FROM rule_runs r JOIN events e ON e.id = r.event_id WHERE r.contact_id = j.payload ->> 'contactId'
      AND r.rule_id = j.payload ->> 'ruleId' AND r.event_id = j.payload ->> 'eventId' AND r.job_id = j.id AND r.status = 'scheduled')`,
  },
]

/** At most this many rows of one invariant are named. */
const examples = 5

/** All in one query, so that they see the same moment. */
const everyViolation = invariants
  .map(
    ({ name, violations }) =>
      `SELECT * FROM (SELECT '${name}' AS name, violation FROM (${violations}) LIMIT ${examples})`,
  )
  .join(' UNION ALL ')

/** One line per broken invariant; empty when all hold. */
export async function checkInvariants(reader: Reader): Promise<string[]> {
  const rows = await reader.db.all<{ name: string; violation: string }>(sql.raw(everyViolation))
  const broken = Map.groupBy(rows, ({ name }) => name)
  return invariants.flatMap(({ name, says }) => {
    const found = broken.get(name)?.map(({ violation }) => violation)
    return found ? [`${name} (${says}) does not hold: ${found.join('; ')}`] : []
  })
}

/** After a clean stop nothing is running. */
export async function runningJobs(reader: Reader): Promise<number> {
  const [row] = await reader.db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM outbox_jobs WHERE state = 'running'`,
  )
  return row?.count ?? 0
}
