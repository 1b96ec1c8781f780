// People: the members of the workspace with their roles, and open invitations. Owners decide; a workspace always keeps one.

import { useState } from 'preact/hooks'
import { type Got, get, type Posted, patch, post, remove, toCall } from '../../api.ts'
import { type Act, useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { CopyCommand, CopyCurl } from '../../parts/copy.tsx'
import { Form } from '../../parts/form.tsx'
import { type Loaded, Show, useLoaded } from '../../parts/load.tsx'
import { Once } from '../../parts/once.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { offerUndo } from '../../parts/undo.tsx'
import { usePlace } from '../../place.ts'
import { moment } from '../../words.ts'
import { loadGrants, Parting } from './parting.tsx'
import { Tabs } from './tabs.tsx'
import { words } from './words.ts'

const path = '/v1/members'
const memberPath = `${path}/:userId` as const
const invitations = '/v1/invitations'

type Members = Got<typeof path>
type Member = Members['data'][number]
type Role = Member['role']
const roles: Role[] = ['viewer', 'member', 'owner']

export default function People() {
  const { workspace } = usePlace()
  const members = useLoaded('', (signal) => get(path, {}, signal))
  return (
    <>
      <header class="title">
        <h1>{words.tabs.people}</h1>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      <Tabs at="people" />
      <p class="muted">{words.roleHow}</p>
      <Show of={members}>{({ data }) => <MemberTable members={data} reload={members.reload} />}</Show>
      {workspace.role === 'owner' && <Invitations />}
    </>
  )
}

function MemberTable({ members, reload }: { members: Member[]; reload: () => void }) {
  const { member: me, workspace } = usePlace()
  const act = useAct()
  const isOwner = workspace.role === 'owner'
  const owners = members.filter(({ role }) => role === 'owner').length
  const isLastOwner = ({ role }: Member) => role === 'owner' && owners === 1
  /** What one may do here changes with one's own role. */
  const after = (one: Member) => (one.email === me.email ? location.assign('/dashboard') : reload())
  const [parting, setParting] = useState<{ one: Member; role: Role | null } | null>(null)
  const give = async (one: Member, role: Role, keep = false) => {
    await patch(memberPath, { params: { userId: one.userId }, body: { role, keep } })
    after(one)
  }
  const change = (one: Member, role: Role) =>
    act.run(async () => {
      const isLess = roles.indexOf(role) < roles.indexOf(one.role)
      if (isLess && (await loadGrants(one.userId)).data.length > 0) return setParting({ one, role })
      await give(one, role)
      offerUndo(words.roleChanged({ email: one.email, role: words.roles[role] }), () => give(one, one.role))
    })
  const demote = (one: Member, role: Role, keep: boolean) =>
    act.run(async () => {
      await give(one, role, keep)
      announce(words.roleChanged({ email: one.email, role: words.roles[role] }))
    })
  const takeOut = (one: Member, keep: boolean) =>
    act.run(async () => {
      await remove(memberPath, { params: { userId: one.userId }, query: { keep } })
      announce(words.takenOut(one.email))
      after(one)
    })
  const leaving = (one: Member) => (one.email === me.email ? words.leave : words.takeOut)
  const action: Column<Member> = {
    name: words.action,
    show: (one) =>
      isLastOwner(one) ? (
        <span class="muted">{words.lastOwner}</span>
      ) : (
        <button type="button" class="quiet" disabled={act.isRunning} onClick={() => setParting({ one, role: null })}>
          {leaving(one)}
        </button>
      ),
  }
  return (
    <>
      <WhyNot act={act} />
      {parting && (
        <Parting
          {...toWords(parting, leaving)}
          userId={parting.one.userId}
          isMe={parting.one.email === me.email}
          close={() => setParting(null)}
          run={(keep) =>
            void (parting.role === null ? takeOut(parting.one, keep) : demote(parting.one, parting.role, keep))
          }
        />
      )}
      <Table
        caption={words.members}
        rows={members}
        keyOf={({ userId }) => userId}
        columns={[
          { name: words.person, show: (one) => <Who member={one} isMe={one.email === me.email} /> },
          {
            name: words.role,
            show: (one) =>
              isOwner && !isLastOwner(one) ? (
                <select
                  aria-label={words.roleOf(one.email)}
                  value={one.role}
                  disabled={act.isRunning}
                  onChange={(event) => {
                    const wanted = roles.find((role) => role === event.currentTarget.value)
                    // The new role is shown once it is stored.
                    event.currentTarget.value = one.role
                    if (wanted) void change(one, wanted)
                  }}
                >
                  <RoleChoices />
                </select>
              ) : (
                words.roles[one.role]
              ),
          },
          { name: words.proven, isFigure: true, show: (one) => (one.isEmailProven ? words.yes : words.notYet) },
          { name: words.since, isFigure: true, show: ({ createdAt }) => <Time at={createdAt} /> },
          ...(isOwner ? [action] : []),
        ]}
      />
    </>
  )
}

function toWords({ one, role }: { one: Member; role: Role | null }, leaving: (one: Member) => string) {
  return role === null
    ? { title: words.takeOutTitle(one.email), does: leaving(one), how: words.takeOutHow }
    : {
        title: words.demoteTitle({ email: one.email, role: words.roles[role] }),
        does: words.demote,
        how: words.demoteHow,
      }
}

function Who({ member: { name, email }, isMe }: { member: Member; isMe: boolean }) {
  return (
    <>
      {name ?? email} {isMe && <span class="status">{words.you}</span>}
      {name !== null && <div class="muted">{email}</div>}
    </>
  )
}

function RoleChoices() {
  return (
    <>
      {roles.map((role) => (
        <option key={role} value={role}>
          {words.roles[role]}
        </option>
      ))}
    </>
  )
}

type Open = Got<typeof invitations>
type CreatedInvitation = Posted<typeof invitations>

function Invitations() {
  const { workspace } = usePlace()
  const act = useAct()
  const [made, setMade] = useState<CreatedInvitation | null>(null)
  const open = useLoaded('', (signal) => get(invitations, {}, signal))
  const invite = (form: FormData) =>
    act.run(async () => {
      const role = roles.find((one) => one === form.get('role')) ?? 'viewer'
      setMade(await post(invitations, { body: { email: String(form.get('email')).trim(), role } }))
      announce(words.invited)
      open.reload()
    })
  const command = `paquebot user invite --workspace ${workspace.slug} --email grace@example.com --role viewer`
  return (
    <section>
      <header class="title">
        <h2>{words.invitations}</h2>
        <CopyCommand command={command} />
      </header>
      <Form key={made?.id ?? ''} act={act} says={words.invite} submit={invite}>
        <label>
          {words.email}
          <input type="email" name="email" required maxLength={254} autocomplete="off" />
        </label>
        <label>
          {words.role}
          <select name="role">
            <RoleChoices />
          </select>
        </label>
      </Form>
      {made && (
        <Once
          title={words.linkFor(made.email)}
          how={made.mailed ? `${words.linkOnce} ${words.mailed}` : words.linkOnce}
        >
          {made.url}
        </Once>
      )}
      <OpenInvitations open={open} act={act} forget={(id) => made?.id === id && setMade(null)} />
    </section>
  )
}

function OpenInvitations({ open, act, forget }: { open: Loaded<Open>; act: Act; forget: (id: string) => void }) {
  const withdraw = (invitationId: string) =>
    act.run(async () => {
      await remove(`${invitations}/:invitationId`, { params: { invitationId } })
      announce(words.withdrawn)
      forget(invitationId)
      open.reload()
    })
  return (
    <Show of={open}>
      {({ data }) =>
        data.length === 0 ? (
          <p class="muted">{words.noneInvited}</p>
        ) : (
          <Table
            caption={words.invitations}
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              { name: words.email, show: ({ email }) => email },
              { name: words.role, show: ({ role }) => words.roles[role] },
              { name: words.until, isFigure: true, show: ({ expiresAt }) => moment(expiresAt) },
              {
                name: words.action,
                show: ({ id }) => (
                  <button type="button" class="quiet" disabled={act.isRunning} onClick={() => void withdraw(id)}>
                    {words.withdraw}
                  </button>
                ),
              },
            ]}
          />
        )
      }
    </Show>
  )
}
