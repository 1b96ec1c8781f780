// MessagesOf by `bun run languages`; change the words in languages/en/, not here.

type MessagesOf<W> = import('../message.ts').MessagesOf<W>

/** The language for which the dashboard is built, and all that are offered, by their own names. */
declare const spoken: { language: string; languages: Record<string, string> }

/** The words of the dashboard: each area of it is put in by the build, where the code names it. */
declare const catalogue: {
  activity: {
    general: MessagesOf<{
      /** Activity */
      title: string
      /** Mails */
      caption: string
      /** To */
      to: string
      /** Copy to */
      cc: string
      /** Blind copy to */
      bcc: string
      /** Cancel this mail */
      cancel: string
      /** The mail was cancelled. */
      cancelled: string
      /** It is being sent right now; it is stopped if the mail server does not have it yet. */
      cancelRequested: string
      /** Reschedule */
      moveTo: string
      /** Reschedule */
      move: string
      /** It leaves {at}. */
      moved: (at: string | number) => string
      /** The mail */
      own: string
      /** The mail as it was submitted */
      ownHtml: string
      /** Its content came with the request; only members may see it. */
      ownHidden: string
      /** Its content came with the request and is no longer stored. */
      ownGone: string
      /** Send again */
      resend: string
      /** The mail is sent again, as a new message. */
      resent: string
      /** Sends again */
      resendOf: string
      /** Kind */
      kind: string
      /** Search */
      search: string
      /** to:ada@example.net status:bounced after:7d */
      hint: string
      /** No mail yet. Write one as a template, and send it to yourself. */
      empty: string
      /** Write the first mail */
      firstMail: string
      /** No mail matches. */
      emptyFiltered: string
      /** (no subject) */
      noSubject: string
      /** What happened */
      history: string
      /** About this mail */
      facts: string
      /** Attempts */
      attempts: string
      /** Template */
      template: string
      /** Campaign */
      campaign: string
      /** Contact */
      contact: string
      /** Language */
      locale: string
      /** Tags */
      tags: string
      /** Accepted */
      accepted: string
      /** All activity */
      all: string
      /** Sent mail is not stored; it can be rendered again from its template. */
      notKept: string
    }>
  }
  agents: {
    general: MessagesOf<{
      /** Agents */
      title: string
      /** All agents */
      all: string
      /** Everything that may call the tools of this workspace or of one of its mailboxes. */
      how: string
      /** New agent */
      create: string
      /** No agent yet. Make one, and its client is connected with one line. */
      empty: string
      /** Name */
      name: string
      /** support agent */
      nameHint: string
      /** Opens */
      opens: string
      /** the workspace */
      workspace: string
      /** Campaigns, templates and segments, and no mail. */
      workspaceHow: string
      /** This one mailbox and nothing else. */
      mailboxHow: string
      /** May */
      powers: string
      /** reads mail from strangers */
      reads: string
      /** sees private data */
      sees: string
      /** It reads mail from strangers, sees private data and sends, all at once. */
      allThree: string
      /** A mail that manipulates it can use all three. Hold the replies of its mailbox, or remove one of the three. */
      allThreeHow: string
      /** To its mailbox */
      toMailbox: string
      scopeWords: {
        /** the mail of the mailbox */
        read: string
        /** to the sender of a mail, 20 an hour */
        reply: string
        /** the activity of mails, and what needs attention */
        'activity.read': string
        /** campaigns and their reports */
        'campaigns.read': string
        /** segments, and how many are in them */
        'contacts.read': string
        /** the addresses of mailboxes */
        'mailboxes.read': string
        /** drafts of campaigns */
        'campaigns.write': string
        /** segments */
        'contacts.write': string
        /** templates */
        'transactional.write': string
        /** campaigns, to whole lists */
        'campaigns.send': string
      }
      /** Valid for days */
      days: string
      /** Empty: until it is revoked. */
      daysHow: string
      /** Make it */
      make: string
      /** Its secret */
      secret: string
      /** It is shown this once, here and in the lines below. */
      secretOnce: string
      /** To the agent */
      go: string
      /** Connect a client */
      connect: string
      /** The secret was shown when the agent was created; put it in place of the dots. */
      connectHow: string
      /** There is no such agent, or it was revoked. */
      gone: string
      /** By its address alone */
      byAddress: string
      /** Claude, ChatGPT and other programs that can sign in need one of these addresses and nothing else: they send you here, and you allow what they may do. */
      byAddressHow: string
      /** The workspace */
      workspaceTools: string
      /** One mailbox */
      oneMailbox: string
      /** Comes with */
      comesWith: string
      /** a secret */
      secretMade: string
      /** the operator */
      operator: string
      /** the yes of {email} */
      allowed: (email: string | number) => string
      /** Allowed by */
      allowedBy: string
      /** Sends people back to */
      sentBackTo: string
      /** Names itself by */
      clientId: string
      /** Revoke */
      revokeShort: string
      /** Revoke {name} */
      revokeOne: (name: string | number) => string
      /** Its next message is refused, open streams are closed within 2 seconds. It may ask again, and somebody would have to allow it again. */
      revokeConnectionHow: string
      /** About it */
      about: string
      /** Scopes */
      scopes: string
      /** Replies */
      replies: string
      /** wait for a person */
      held: string
      /** leave at once */
      atOnce: string
      /** Replies this hour */
      repliesUsed: string
      /** {n} of {limit} */
      ofLimit: (values: { n: string | number; limit: string | number }) => string
      /** Calls */
      callsAllowed: string
      /** at most {n} a minute */
      aMinute: (n: string | number) => string
      /** Last use */
      lastUse: string
      /** never */
      never: string
      /** Made */
      made: string
      /** Works until */
      ends: string
      /** it is revoked */
      untilRevoked: string
      /** Revoke now */
      revoke: string
      /** Revoke “{name}”? */
      revokeTitle: (name: string | number) => string
      /** Its next message is refused, open streams are closed within 2 seconds, and this cannot be undone: a new one gets a new secret. Replies that wait for approval keep waiting. */
      revokeHow: string
      /** Its next request is refused, by tools and by the API, and this cannot be undone: a new one gets a new secret. Campaigns that it started go on. */
      revokeKeyHow: string
      /** Calls */
      calls: string
      /** No calls in the last 90 days. */
      noCalls: string
      /** Tool */
      tool: string
      /** Outcome */
      outcome: string
      /** Took */
      took: string
      /** {n} ms */
      ms: (n: string | number) => string
      /** When */
      when: string
      /** What it does outside waits for a person once it has read what strangers wrote (recommended) */
      airlock: string
      /** Its key then opens the tools and no other part of the API. */
      airlockKeyHow: string
      /** It replies at once until it has read the first mail. */
      airlockTokenHow: string
      /** Once it has read strangers */
      afterReading: string
      afterReadings: {
        /** what it does outside waits for a person */
        waits: string
        /** what it does outside waits for a person, as with every connection */
        always: string
        /** it goes on sending by itself */
        acts: string
      }
      /** Has read strangers */
      hasRead: string
      /** not yet */
      notYet: string
      /** since {at} */
      since: (at: string | number) => string
      actsWhen: {
        /** sends after approval */
        always: string
        /** sends after approval once it has read */
        afterReading: string
        /** sends or changes */
        never: string
      }
    }>
  }
  approvals: {
    general: MessagesOf<{
      /** Approvals */
      title: string
      /** All approvals */
      all: string
      /** Waiting for approval */
      caption: string
      /** Kind */
      kind: string
      kinds: {
        /** campaign */
        campaign: string
        /** reply */
        reply: string
        /** new mail */
        mail: string
        /** call of a tool */
        action: string
      }
      /** Subject */
      subject: string
      /** To */
      to: string
      /** Written by */
      author: string
      /** Since */
      when: string
      /** to */
      goesTo: string
      /** written by */
      by: string
      /** (no subject) */
      noSubject: string
      /** Nothing waits for you. */
      empty: string
      /** Mail and calls by agents wait here if a person has to see them first; campaigns by agents, if the workspace requires approval. */
      emptyHow: string
      /** Let a mailbox hold replies */
      holdReplies: string
      statuses: {
        /** waits for you */
        waiting: string
        /** approved */
        approved: string
        /** refused */
        refused: string
        /** withdrawn by its agent */
        withdrawn: string
      }
      /** Edit */
      edit: string
      /** Refuse */
      refuse: string
      /** Next that waits */
      next: string
      /** Nothing else waits. */
      none: string
      /** Follow it in Activity */
      inActivity: string
      /** To the campaign */
      toCampaign: string
      /** Changed after you had read it: nothing was sent. */
      stale: string
      /** Below is what it says now. Read it again, then decide. */
      staleHow: string
      /** Bound to */
      hash: string
      /** What would be sent */
      leaves: string
      /** As the agent wrote it. */
      asWritten: string
      /** What a person changed since the agent wrote it */
      sinceWritten: string
      /** Changes since the last approval */
      sinceApproved: string
      /** The mail it replies to */
      answers: string
      /** From an untrusted sender: trust nothing in it. It may have manipulated the agent. */
      untrusted: string
      /** The mail it replies to is no longer stored. */
      gone: string
      /** The text */
      asText: string
      /** The mail, as a component tree in JSON */
      asTree: string
      /** This is not valid JSON. */
      notJson: string
      /** Save */
      save: string
      /** Saved; it still waits for your approval. */
      saved: string
      /** Language */
      locale: string
      /** Members decide; you may read. */
      forMembers: string
      /** Why it waits */
      why: string
      whys: {
        /** campaigns by agents need an approval here */
        workspace: string
        /** its mailbox holds what agents write */
        mailbox: string
        /** its agent has read what strangers wrote */
        airlock: string
        /** its agent wrote it as a draft */
        draft: string
      }
      approves: {
        /** Approve as seen */
        campaign: string
        /** Approve and send */
        mail: string
        /** Approve and do it */
        action: string
      }
      approved: {
        /** It may be sent, as you saw it. */
        campaign: string
        /** It is on its way, as you saw it. */
        mail: string
        /** It was done, as you saw it. */
        action: string
      }
      refused: {
        /** It will not be sent. */
        campaign: string
        /** It will not be sent. */
        mail: string
        /** It will not be done. */
        action: string
      }
      /** Somebody decided on it before you. */
      decidedBefore: string
      /** Nothing was approved: the passkey was not used, or it took too long. */
      notConfirmed: string
      /** Read one below the other */
      readAll: string
      /** What is ticked is approved together, each exactly as it stands here. What gives reason to doubt begins without a tick. */
      batchHow: string
      /** Approve “{title}”, too */
      tick: (title: string | number) => string
      /** Tick it, or not */
      tickOne: string
      /** Next one */
      nextOne: string
      /** Previous one */
      previousOne: string
      /** Approve what is ticked */
      approveTicked: string
      /** Approve {n} */
      approveSome: (n: string | number) => string
      /** Approve what is ticked ({n}), as it stands here? */
      askSome: (n: string | number) => string
      /** Mail leaves at once, and calls are made. What has changed since you read it stays and is shown again. */
      askHow: string
      /** Decided: {done}. Not decided: {left}. */
      decided: (values: { done: string | number; left: string | number }) => string
      /** Save your changes first, or drop them. */
      editFirst: string
      /** a part of {list} */
      partOf: (list: string | number) => string
      /** Who gets it */
      whoGets: string
      /** The address may only look like one that you know: it has letters of another alphabet. */
      lookalike: string
      /** It does not go to the address that the mail names as its sender: {from}. */
      elsewhere: (from: string | number) => string
      /** It contains characters that nobody sees and a machine reads. */
      unseen: string
      /** The call */
      calledWith: string
      /** Tool */
      tool: string
      /** What is there now */
      nowThere: string
      /** What would be there */
      wouldSay: string
    }>
  }
  blocks: {
    general: MessagesOf<{
      /** Blocks */
      title: string
      /** Blocks, oldest first */
      caption: string
      /** All blocks */
      all: string
      /** Templates */
      templates: string
      /** A part of the name */
      search: string
      /** Name */
      name: string
      /** Languages */
      locales: string
      /** Changed */
      since: string
      /** A block is written once and stands in many mails: a footer, a notice, a signature. Change it here, and all that use it change. */
      empty: string
      /** No such block. */
      emptyFiltered: string
      /** A new block, by its name */
      add: string
      /** New block */
      addIt: string
      /** Written once, shown in all mails that use it. */
      begin: string
      /** Used by */
      usedBy: string
      /** Nothing uses it yet. In a template, press / and choose it by its name. */
      unused: string
      /** Recurring campaigns */
      recurring: string
      /** Campaigns that have not begun */
      campaigns: string
      /** {users, plural, =0 {not used} one {a change here changes # mail} other {a change here changes # mails}} */
      state: (users: number) => string
      /** Delete */
      remove: string
      /** Delete “{name}”? */
      removeTitle: (name: string | number) => string
      /** Nothing uses it. Mail that was sent keeps its words. */
      removeHow: string
      /** The block is deleted. */
      removed: string
      /** Revisions */
      revisions: string
      /** Name */
      rename: string
      /** Rename */
      renameIt: string
      /** Renamed. */
      renamed: string
    }>
  }
  campaigns: {
    abTest: MessagesOf<{
      /** A part of the audience gets this subject (B), as many get the subject above (A), and everybody else gets what does better. */
      how: string
      /** Variant B; empty: no test */
      variantB: string
      /** Tested, in percent of the audience */
      share: string
      /** This test was made by the API and is changed there. */
      elsewhere: string
      /** the campaign as it is */
      asItIs: string
      /** {name} was chosen at {at} and is what everybody else gets. */
      chosen: (values: { name: string | number; at: string | number }) => string
      /** Send {name} to the others */
      choose: (name: string | number) => string
      /** Everybody who waits gets it. This cannot be undone. */
      chooseHow: string
    }>
    devices: MessagesOf<{
      /** Devices */
      title: string
      /** By what browsers and mail programs say of themselves. A proxy, as Gmail and Yahoo have, hides it; Apple’s privacy protection opens mails by itself and is counted as a program. Only these numbers are kept, and nothing of a person. */
      how: string
      /** Device */
      device: string
      /** Phone or tablet */
      mobile: string
      /** Computer */
      desktop: string
      /** Hidden by a proxy */
      proxy: string
      /** Not known */
      unknown: string
      /** Programs, no people */
      programs: string
    }>
    general: MessagesOf<{
      /** Campaigns */
      title: string
      /** Campaigns */
      caption: string
      /** Began */
      began: string
      /** All campaigns */
      all: string
      /** State */
      state: string
      /** all */
      anyState: string
      /** Name */
      name: string
      /** Audience */
      audience: string
      /** Sent */
      sent: string
      /** Opened */
      opened: string
      /** Clicked */
      clicked: string
      /** Unsubscribed */
      optedOut: string
      /** Made */
      made: string
      /** No campaign yet: one mail to everybody on a list. A draft mails nobody. */
      empty: string
      /** No campaign is in this state. */
      emptyFiltered: string
      /** New campaign */
      create: string
      /** Recurring campaigns */
      recurring: string
      /** Content */
      content: string
      /** Subject */
      subject: string
      /** Preview text */
      preheader: string
      /** Template */
      template: string
      /** its own */
      ownContent: string
      /** From */
      from: string
      /** the sender of the brand */
      defaultFrom: string
      /** Replies to */
      replyTo: string
      /** Language */
      language: string
      /** List */
      list: string
      /** Segment */
      segment: string
      /** All segments, or a new one */
      segments: string
      /** Who is in this segment */
      showSegment: string
      /** Only if */
      conditions: string
      /** is sent in spite of the frequency limit */
      ignoresLimits: string
      /** Limits */
      limits: string
      /** Change */
      change: string
      /** Send a test to me */
      test: string
      /** A test is on its way to you. */
      tested: string
      why: {
        outcomes: {
          /** would get it now */
          recipients: string
          /** the mail server took it */
          sent: string
          /** the address does not exist */
          bounced: string
          /** on the suppression list */
          suppressed: string
          /** left the list, or all mail */
          unsubscribed: string
          /** did not confirm the subscription yet */
          unconfirmed: string
          /** was mailed too often lately */
          rate_guardrail: string
          /** gets nothing, so that the others can be compared with them */
          held_out: string
          /** the mail server will not take it, or the trust level does not reach them */
          failed: string
          /** handed over, and no reply was read: it may have arrived */
          uncertain: string
          /** the campaign was cancelled before */
          cancelled: string
          /** no mail yet */
          queued: string
          /** being handed over */
          sending: string
          /** tried again later */
          delayed: string
        }
        pauses: {
          /** by hand */
          manual: string
          /** its time had passed by more than an hour */
          missed_window: string
          /** too many addresses bounced */
          bounce_rate: string
          /** too many people complained */
          complaint_rate: string
          /** the domain has no DMARC record */
          dmarc_required: string
          /** the domain is not verified */
          domain_not_verified: string
          /** it, its audience or what it shows changed after it was approved */
          approval_required: string
          /** the database was put back or copied */
          restored: string
          /** clicks decide its test, and are not tracked */
          clicks_not_tracked: string
        }
      }
      /** Paused: {why}. */
      paused: (why: string | number) => string
      waitsFor: {
        /** It waits: the workspace is suspended. */
        workspace_suspended: string
      }
      /** More may be sent {at}. */
      goesOn: (at: string | number) => string
      /** It starts {at}. */
      startsAt: (at: string | number) => string
      /** Pre-flight */
      preflight: string
      /** Who would get it now, and who would not. Checking sends nothing. */
      preflightHow: string
      /** The pre-flight is for members of the workspace. */
      forMembers: string
      /** It cannot be sent */
      refused: string
      /** Rehearsal */
      rehearsal: string
      /** When the last mail would leave within 30 days, beside everything else that is published. Nothing is sent. */
      rehearsalHow: string
      /** Rehearse */
      rehearse: string
      /** No mail would leave. */
      nothingLeaves: string
      /** {leaves, plural, one {# mail would leave} other {# mails would leave}}, the last on {at}. */
      lastLeaves: (values: { leaves: number; at: string | number }) => string
      /** {left, plural, one {# mail would} other {# mails would}} not leave in that time. */
      notInTime: (left: number) => string
      /** What limits it: {limit}. */
      limitedBy: (limit: string | number) => string
      /** Nothing limits it. */
      unlimited: string
      limitNames: {
        /** the cap of the trust level */
        level: string
        /** the cap that the operator has set */
        operator: string
        /** the warm-up of the sending domain */
        warm_up: string
        /** the limits of frequency */
        too_often: string
        /** quiet hours */
        quiet_hours: string
        /** the local time of the recipients */
        local_time: string
        /** the wait for the winner of the test */
        awaits_winner: string
        /** how fast the relays have taken mail lately */
        relay_speed: string
        /** what the relays may carry a second */
        relay_second: string
        /** what the relays may carry a day */
        relay_day: string
        /** the warm-up of the relays */
        relay_warm_up: string
        /** no relay may carry it */
        no_relay: string
      }
      /** Its last mail leaves {at}. */
      lastAt: (at: string | number) => string
      /** Forecast for its last mail: {at}. */
      forecastOfLast: (at: string | number) => string
      /** No end in sight. */
      endless: string
      /** It ended then, to the minute. */
      onTime: string
      /** It ended {span} {isLate, select, true {later} other {earlier}}. */
      wrongBy: (values: { span: string | number; isLate: boolean }) => string
      /** Complained */
      complained: string
      /** recipients */
      wouldGet: string
      /** Estimated from the first 20,000 on the list. */
      estimated: string
      /** {n, plural, one {# person} other {# people}} may be mailed now. */
      left: (n: number) => string
      /** Outcome */
      outcome: string
      /** Reason */
      reason: string
      /** People */
      people: string
      /** Share */
      share: string
      /** All */
      total: string
      /** Approval */
      approval: string
      /** What you see */
      hash: string
      /** Approve as seen */
      approve: string
      /** Approved. */
      approved: string
      /** Approved by {who}, {at}. */
      approvedBy: (values: { who: string | number; at: string | number }) => string
      /** Not approved. A member may send it as it is; an API key or an agent may need the approval. */
      notApproved: string
      /** Send now */
      send: string
      /** Send to {n, plural, one {# person} other {# people}} */
      sendTitle: (n: number) => string
      /** What has been sent cannot be taken back; sending can be paused. */
      sendHow: string
      /** Or at (in the time of {zone}) */
      scheduleAt: (zone: string | number) => string
      /** In each recipient’s time zone */
      inRecipientZone: string
      /** It begins where this time comes first, and each person gets it in the ten minutes from then in their own zone. For whom it has passed: at once. */
      inRecipientZoneHow: string
      /** Each person gets it {at} in their own time zone. */
      atLocalTime: (at: string | number) => string
      /** This time has passed. */
      hasPassed: string
      /** As of now, {n, plural, one {# person} other {# people}} would get it; this is checked again at that time. */
      thenGet: (n: number) => string
      /** The mail */
      asSeen: string
      /** Schedule */
      schedule: string
      /** Cancel the schedule */
      unschedule: string
      /** Pause */
      pause: string
      /** Resume */
      resume: string
      /** Cancel for good */
      cancel: string
      /** Cancel this campaign for good? */
      cancelTitle: string
      /** Everybody who has not received it yet will not. This cannot be undone. */
      cancelHow: string
      /** Progress */
      progress: string
      /** Report */
      report: string
      /** Updated every two seconds. */
      going: string
      /** What people did */
      engagement: string
      /** {n} by programs */
      machines: (n: string | number) => string
      /** Links */
      links: string
      /** Address */
      url: string
      /** Clicks of people */
      clicks: string
      /** Of programs */
      machineClicks: string
      /** Uncertain mails */
      uncertain: string
      /** They were handed over, but the connection broke before the reply. Decide whether they arrived. */
      uncertainHow: string
      /** It arrived */
      arrived: string
      /** Send again */
      again: string
      /** All arrived */
      allArrived: string
      /** Send all again */
      allAgain: string
      /** Send all of them again? */
      allAgainTitle: string
      /** People who already received it will get it twice. */
      allAgainHow: string
      /** {n} resolved. */
      resolved: (n: string | number) => string
      /** Contact */
      contact: string
      /** When */
      when: string
      /** Mail */
      mail: string
      /** Show */
      showMail: string
      /** Action */
      action: string
      /** Recipients */
      recipients: string
      /** Recipients of {name} */
      recipientsOf: (name: string | number) => string
      /** Who would get {name} */
      audienceOf: (name: string | number) => string
      /** As of now, by the same rule as the pre-flight. One page checks at most 20,000 people. */
      audienceHow: string
      /** Nobody is on its list yet. */
      nobodyMeant: string
      /** Import people */
      addPeople: string
      /** Found */
      found: string
      /** Changes since the last approval */
      sinceApproval: string
      /** Compared with the last five */
      compare: string
      /** Those before it that went to the same list. */
      compareHow: string
      /** Over time */
      overTime: string
      /** The first two days, by hour */
      byHour: string
      /** The first 30 days, by day */
      byDay: string
      /** Bounced */
      bounced: string
      /** Where they clicked */
      clickMap: string
      /** Each link with clicks by people; clicks by programs are listed separately. */
      clickMapHow: string
      /** Nobody yet: the audience is determined when it is sent. */
      nobody: string
      /** To the campaign */
      toCampaign: string
      /** Nobody is in this state. */
      nobodyFiltered: string
      /** somebody who was erased */
      erased: string
      /** Save */
      save: string
      /** none */
      none: string
      /** Send in spite of the frequency limit */
      ignore: string
      /** There is no list yet to send to. Make one first. */
      noList: string
      /** It becomes a draft. Nothing is mailed until it is sent. */
      draftHow: string
      /** The mail */
      itsMail: string
      /** written for this campaign */
      ownMail: string
      /** Write the mail */
      write: string
      /** The content cannot be edited here: this campaign sends a template, or has begun. */
      notWrittenHere: string
      /** {name} (does not fit) */
      doesNotFit: (name: string | number) => string
      /** Templates that do not fit: {n} */
      unfit: (n: string | number) => string
      /** They have variables that a program supplies when it sends them; a campaign has no such program. */
      unfitHow: string
      /** no value for {names} */
      fills: (names: string | number) => string
      /** Make a list */
      makeList: string
    }>
    reasons: MessagesOf<{
      /** did not confirm yet */
      pending: string
      /** on the list */
      active: string
      /** left the list */
      unsubscribed: string
      /** said no when asked to confirm */
      rejected: string
      /** did not confirm in time */
      expired: string
      /** left the list, as mail bounced */
      bounced: string
      /** left the list by a complaint */
      complained: string
      /** the contact was deleted */
      contact_deleted: string
      /** not on the list any more */
      left_list: string
      /** unsubscribed from all mail */
      all_mail: string
      /** the address changed meanwhile */
      address_changed: string
      /** was mailed often enough lately */
      too_often: string
      /** held out by the test */
      held_out: string
      /** at M0 only members get mail */
      sandbox: string
      /** the campaign was cancelled */
      campaign_cancelled: string
      /** the campaign had ended */
      campaign_ended: string
      /** the address does not exist */
      hard_bounce: string
    }>
    remove: MessagesOf<{
      /** Delete */
      remove: string
      /** Delete this campaign? */
      title: string
      /** It has not begun: nobody got it. Then it is gone. */
      how: string
      /** The campaign is deleted. */
      removed: string
    }>
  }
  captured: {
    general: MessagesOf<{
      /** Captured mail */
      title: string
      /** Captured mails, newest first */
      caption: string
      /** Search */
      search: string
      /** ada@example.net confirm */
      hint: string
      /** From */
      from: string
      /** To */
      to: string
      /** Subject */
      subject: string
      /** When */
      when: string
      /** (no subject) */
      noSubject: string
      /** A mail came */
      arrived: string
      /** New mail appears by itself. */
      live: string
      /** Nothing yet. Without a relay (SMTP_URL) mail is kept here instead of sent. Write one as a template, and send it to yourself. */
      empty: string
      /** Write the first mail */
      firstMail: string
      /** A test waits for a mail like this; the second call sends one: */
      first: string
      /** No mail matches. */
      emptyFiltered: string
      /** All captured mail */
      all: string
      /** What happened to it */
      activity: string
    }>
  }
  contacts: {
    bulk: MessagesOf<{
      /** All on this page */
      choosePage: string
      /** {n, plural, one {# contact} other {# contacts}} chosen */
      chosen: (n: number) => string
      /** Choose all that match, up to {most, plural, one {# contact} other {# contacts}} */
      chooseMore: (most: number) => string
      /** Progress */
      progress: string
      /** Done for {n, plural, one {# contact} other {# contacts}}. */
      finished: (n: number) => string
      /** {n, plural, one {# contact was} other {# contacts were}} left as before: */
      refused: (n: number) => string
      /** and {n, plural, one {# more} other {# more}} */
      more: (n: number) => string
      /** Put on a list */
      join: string
      /** Put {n, plural, one {# contact} other {# contacts}} on a list? */
      joinTitle: (n: number) => string
      /** What you write here is kept with each of them as the proof that they agreed. On a list with confirmation each is sent a mail, and is on it once they follow its link. Who complained about the list is left as before. */
      joinHow: string
      /** List */
      list: string
      /** Where and how did they agree? */
      statement: string
      /** At our stand, on a card that we keep */
      statementHint: string
      /** Unsubscribe */
      unsubscribe: string
      /** Unsubscribe {n, plural, one {# contact} other {# contacts}} from all mail? */
      unsubscribeTitle: (n: number) => string
      /** They get no campaign and no sequence any more, whatever lists they are on. Only what they agree to later brings them back. Receipts and the like still go out. */
      unsubscribeHow: string
      /** As a file (CSV) */
      save: string
      /** Delete */
      remove: string
      /** Delete {n, plural, one {# contact} other {# contacts}}? */
      removeTitle: (n: number) => string
      /** Their fields and lists are gone for good. What was sent, what they agreed to and suppressions stay. To erase everything about a person, open that contact. */
      removeHow: string
    }>
    general: MessagesOf<{
      /** Contacts */
      title: string
      /** Contacts */
      caption: string
      /** Address, name or id */
      search: string
      /** ada, or @example.net */
      searchHint: string
      /** Narrowed down to */
      filters: string
      /** Narrow down */
      narrow: string
      /** Show these */
      filter: string
      /** any */
      any: string
      /** List */
      list: string
      /** State */
      state: string
      /** Property */
      property: string
      /** Its value */
      value: string
      states: {
        /** subscribed */
        subscribed: string
        /** asked to confirm */
        pending: string
        /** unsubscribed */
        unsubscribed: string
        /** declined */
        rejected: string
      }
      /** List: {name} */
      onList: (name: string | number) => string
      /** Segment: {name} */
      inSegment: (name: string | number) => string
      /** “{q}” */
      text: (q: string | number) => string
      /** Suppression list */
      suppression: string
      /** suppressed */
      held: string
      /** not suppressed */
      notHeld: string
      /** Segment */
      segment: string
      /** No longer: {says} */
      without: (says: string | number) => string
      /** Show everybody */
      everybody: string
      /** Address */
      address: string
      /** Name */
      name: string
      /** Agreed to mail */
      consent: string
      /** yes */
      yes: string
      /** suppressed: {reason} */
      suppressed: (reason: string | number) => string
      /** no */
      no: string
      /** Add a contact */
      add: string
      /** Add the first one */
      addFirst: string
      /** Import a file */
      importThem: string
      /** Export all (CSV) */
      exportAll: string
      /** Your id */
      userId: string
      /** Since */
      since: string
      /** {n, plural, one {# contact} other {# contacts}} */
      found: (n: number) => string
      /** At least {n, plural, one {# contact} other {# contacts}}. */
      atLeast: (n: number) => string
      /** Nobody yet. Add the first one, or import a file. */
      empty: string
      /** No contact matches all of this. */
      emptyFiltered: string
    }>
    import: MessagesOf<{
      /** Import contacts */
      title: string
      /** A CSV file whose first line names its columns */
      file: string
      /** Nothing is stored before you say so. */
      how: string
      /** Written by */
      format: string
      formats: {
        /** listmonk */
        listmonk: string
        /** Mailchimp */
        mailchimp: string
        /** Loops */
        loops: string
        /** Resend */
        resend: string
        /** Brevo */
        brevo: string
        /** Sendy */
        sendy: string
        /** Amazon SES */
        'ses-suppression': string
        /** MailerLite */
        mailerlite: string
        /** Kit */
        kit: string
        /** Ghost */
        ghost: string
        /** beehiiv */
        beehiiv: string
        /** Customer.io */
        customerio: string
        /** Substack */
        substack: string
      }
      /** a program of your own: CSV */
      ownCsv: string
      /** The export: one file, or a ZIP of all of them */
      exported: string
      files: {
        /** The JSON of subscribers, lists, templates and campaigns, or the CSV of subscribers, which contains no lists. */
        listmonk: string
        /** The ZIP of Audience → Export audience, as it is. */
        mailchimp: string
        /** The CSV of Audience → Export. */
        loops: string
        /** The CSV of Audience → Export, or the JSON of GET /contacts. */
        resend: string
        /** The CSV of Contacts → Export, or the JSON of contacts, lists and templates. */
        brevo: string
        /** The CSV of a list, exported with its status. */
        sendy: string
        /** What aws sesv2 list-suppressed-destinations prints. It creates no contacts. */
        'ses-suppression': string
        /** The CSV of Subscribers → Export, or the JSON of GET /api/subscribers. */
        mailerlite: string
        /** The CSV of Subscribers → Export, or the JSON of GET /v4/subscribers. */
        kit: string
        /** The CSV of Members → Export, or the JSON of GET /admin/members. */
        ghost: string
        /** The CSV of Audience → Export, or the JSON of subscriptions. */
        beehiiv: string
        /** The CSV of People → Export, with the attribute unsubscribed. */
        customerio: string
        /** The CSV of Subscribers → Export. */
        substack: string
      }
      /** What the export holds */
      holds: string
      /** Files, with their entries */
      read: string
      /** Properties */
      properties: string
      /** Notes */
      notes: string
      /** Lists */
      lists: string
      /** Name */
      name: string
      /** Agreed */
      onIt: string
      /** a new list */
      newList: string
      /** the list of that name */
      knownList: string
      /** Templates */
      templates: string
      /** a draft */
      draft: string
      /** nothing */
      noDraft: string
      /** What could not be read */
      refused: string
      /** Where */
      where: string
      /** What each column becomes */
      columns: string
      /** Say which column has the e-mail address, or your id of each person. */
      identity: string
      /** Column */
      header: string
      /** without a name, no. {n} */
      nameless: (n: string | number) => string
      /** For example */
      example: string
      /** Becomes */
      becomes: string
      /** nothing: leave it out */
      nothing: string
      /** please choose */
      unclear: string
      /** Some columns may say whether somebody agreed to mail. Choose what each of them means before anything is stored. */
      unclearNotice: string
      /** A field */
      fields: string
      /** What they agreed to */
      consents: string
      /** A property of your own */
      property: string
      types: {
        /** text */
        string: string
        /** number */
        number: string
        /** yes or no */
        boolean: string
        /** date */
        date: string
      }
      /** Also add those who agreed to a list */
      list: string
      /** none */
      noList: string
      /** The file does not say what these people agreed to */
      consent: string
      /** They agreed to mail from us */
      agreed: string
      /** They did not, or it is unknown: no marketing mail to them */
      notAgreed: string
      /** Where and how they agreed */
      statement: string
      /** It is recorded in the ledger of each of them. */
      statementHow: string
      /** What would happen */
      would: string
      counts: {
        /** Rows */
        rows: string
        /** New */
        created: string
        /** Changed */
        updated: string
        /** As they are */
        unchanged: string
        /** Say yes to mail */
        subscribed: string
        /** Say no */
        unsubscribed: string
        /** Never to be mailed */
        suppressed: string
        /** Not stated */
        withoutConsent: string
        /** Their earlier opt-out is kept */
        consentKept: string
        /** Left out */
        bad: string
      }
      /** Rows that are left out */
      badRows: string
      /** Line */
      line: string
      /** Why */
      reason: string
      /** Import {n, plural, one {# row} other {# rows}} */
      run: (n: number) => string
      /** Imports */
      imports: string
      /** Imports of the last 30 days, newest first */
      caption: string
      /** No file was imported in the last 30 days. */
      noImports: string
      /** Began */
      began: string
      /** State */
      state: string
      states: {
        /** waiting */
        waiting: string
        /** running */
        running: string
        /** done */
        done: string
        /** failed */
        failed: string
      }
      /** An import */
      one: string
      /** Read so far */
      progress: string
      /** What happened */
      what: string
      /** The rows that were left out, to be corrected (CSV) */
      badFile: string
      /** Import another file */
      again: string
      /** All contacts */
      contacts: string
    }>
    person: MessagesOf<{
      /** All contacts */
      all: string
      /** Nothing is mailed to this address: {reason}, {at}. */
      suppressed: (values: { reason: string | number; at: string | number }) => string
      suppressedHow: {
        /** The address does not exist, by the word of its mail server. */
        hardBounce: string
        /** This person called a mail of yours spam. */
        complaint: string
        /** Somebody put the address on the suppression list. */
        manual: string
        /** This person unsubscribed. Only a new opt-in of their own, or you, can change that. */
        unsubscribe: string
      }
      /** The mail that led to it */
      causedBy: string
      /** Take off the suppression list */
      lift: string
      /** Mail {email} again? */
      liftTitle: (email: string | number) => string
      liftHow: {
        /** Mail to this address is tried again. When it bounces again, it is suppressed again. The lists that it left do not come back by this. */
        hardBounce: string
        /** Mail may go to this address again, receipts and passwords first of all. Their consent does not come back by this, and only so many complaints may be taken off. */
        complaint: string
        /** Mail may go to this address again, as far as this person agreed to it. */
        manual: string
        /** Mail may go to this address again, as far as this person agreed to it. */
        unsubscribe: string
      }
      /** The address may be mailed again. */
      lifted: string
      /** In 30 days {limit, plural, one {# complaint} other {# complaints}} may be taken off; {left, plural, one {# is} other {# are}} left. */
      quota: (values: { limit: number; left: number }) => string
      /** About this person */
      facts: string
      /** Change */
      change: string
      /** Save */
      save: string
      /** Saved. */
      saved: string
      /** Mails to this person */
      mails: string
      /** Name */
      name: string
      /** Lists */
      lists: string
      /** Since */
      since: string
      /** {yes, select, true {yes} other {no}} */
      yesOrNo: (yes: boolean) => string
      /** not said */
      notSaid: string
      fields: {
        /** E-mail address */
        email: string
        /** First name */
        firstName: string
        /** Last name */
        lastName: string
        /** Your id */
        userId: string
        /** Group */
        userGroup: string
        /** Language */
        locale: string
        /** Time zone */
        timezone: string
        /** Came from */
        source: string
      }
      hints: {
        /** pt-BR */
        locale: string
        /** Europe/Paris */
        timezone: string
      }
      /** Consent stays with the person. A suppression belongs to the address: a new one has none yet. */
      emailHow: string
      types: {
        /** text */
        string: string
        /** number */
        number: string
        /** yes or no */
        boolean: string
        /** date */
        date: string
      }
      /** A new property */
      newProperty: string
      /** Its name and type apply to all contacts and cannot be changed. */
      newPropertyHow: string
      /** Name of the property */
      propertyName: string
      /** Type of the property */
      propertyType: string
      /** Value */
      propertyValue: string
      /** Add */
      add: string
      /** A new contact */
      addTitle: string
      /** They get no campaigns until their consent is recorded, on their page. */
      addHow: string
      /** Added. */
      added: string
      /** What they agreed to */
      consent: string
      /** To what */
      toWhat: string
      /** State */
      state: string
      /** Action */
      action: string
      /** Mail of all lists and campaigns */
      allMail: string
      /** {yes, select, true {agreed} other {did not agree}} */
      agreed: (yes: boolean) => string
      /** on it */
      onIt: string
      /** not on it */
      notOnIt: string
      states: {
        /** waits for their click in a mail */
        requested: string
        /** said no by a click in a mail */
        rejected: string
        /** did not confirm in time */
        expired: string
        /** left it */
        withdrawn: string
        /** left it, as mail bounced */
        bounced: string
        /** left it by a complaint */
        complained: string
      }
      /** Unsubscribe from all */
      unsubscribe: string
      /** Record that they agreed */
      subscribe: string
      /** Take off */
      leave: string
      /** Put on */
      join: string
      /** Ask again */
      askAgain: string
      /** {name}: unsubscribe {email}? */
      leaveTitle: (values: { name: string | number; email: string | number }) => string
      /** They get no more campaigns, whatever lists they are on. Transactional mail, such as a receipt, still reaches them. It is recorded in the ledger. */
      unsubscribeHow: string
      /** They get no more mail of this list. It is recorded in the ledger. */
      leaveHow: string
      /** {name}: subscribe {email}? */
      joinTitle: (values: { name: string | number; email: string | number }) => string
      /** They get it from now on. This requires the person’s own consent, so say where and how they gave it; it is recorded in the ledger. */
      joinHow: string
      /** A mail asks them to confirm, and only their click puts them on the list. Say where and how they asked for it; it is recorded in the ledger. */
      askHow: string
      /** Where, when and how they said so */
      statement: string
      /** On paper, at the fair in Lyon, 12 May 2026 */
      statementHint: string
      /** Ended: {name}. */
      left: (name: string | number) => string
      /** Begun: {name}. */
      joined: (name: string | number) => string
      /** Asked for a confirmation: {name}. */
      asked: (name: string | number) => string
      /** Consent */
      ledger: string
      /** No consent was given or withdrawn. */
      ledgerEmpty: string
      /** Print */
      print: string
      /** When */
      at: string
      /** What */
      what: string
      /** How */
      how: string
      /** In which words */
      words: string
      /** by hand, in the dashboard */
      byHand: string
      actions: {
        /** was added */
        created: string
        /** asked for it */
        requested: string
        /** agreed */
        granted: string
        /** confirmed by a click in a mail */
        confirmed: string
        /** said no by a click in a mail */
        rejected: string
        /** did not confirm in time */
        expired: string
        /** took it back */
        withdrawn: string
        /** could not be reached */
        bounced: string
        /** complained */
        complained: string
      }
      methods: {
        /** a form */
        opt_in: string
        /** the page of the mail */
        confirm_page: string
        /** one click in the mail program */
        one_click: string
        /** the page to unsubscribe */
        unsubscribe_page: string
        /** the page of their preferences */
        preferences_page: string
        /** a mail that unsubscribes */
        unsubscribe_mail: string
        /** the API */
        api: string
        /** an imported file */
        import: string
        /** a bounce */
        bounce: string
        /** a complaint */
        complaint: string
        /** a report of their provider */
        provider: string
        /** a rule */
        event_rule: string
        /** nobody */
        expiry: string
        /** a payment */
        payments: string
        /** before there was a ledger */
        unknown: string
      }
      /** What happened */
      timeline: string
      /** Nothing yet. */
      timelineEmpty: string
      /** Earlier */
      earlier: string
      /** Event */
      event: string
      /** opened {name} */
      opened: (name: string | number) => string
      /** followed a link in {name} */
      clicked: (name: string | number) => string
      /** was suppressed: {reason} */
      wasSuppressed: (reason: string | number) => string
      /** Everything stored about this person (JSON) */
      exported: string
      /** Data and deletion */
      ends: string
      /** Suppress the address */
      suppress: string
      /** Mail {email} no more? */
      suppressTitle: (email: string | number) => string
      /** No mail at all goes to this address from now on: no receipts, no password resets, nothing that is waiting. This can be undone. */
      suppressHow: string
      /** Why (may be empty) */
      suppressWhy: string
      /** Nothing is mailed to the address any more. */
      suppressDone: string
      /** Delete the contact */
      remove: string
      /** Delete {email}? */
      removeTitle: (email: string | number) => string
      /** Fields, properties and lists are deleted. Sent mails, the ledger of consent and a suppression are kept: somebody who unsubscribed is still unsubscribed when the address comes back. */
      removeHow: string
      /** Deleted. */
      removed: string
      /** Erase all data */
      erase: string
      /** Erase {email} for good? */
      eraseTitle: (email: string | number) => string
      /** For people who ask to be forgotten (GDPR, Article 17). The contact, the ledger, events and the contents of their mails are deleted, and waiting mail is not sent. Of a suppression, the hash of the address is kept, so that it is not mailed again. This cannot be undone. */
      eraseHow: string
      /** Erased. */
      erased: string
    }>
  }
  domains: {
    general: MessagesOf<{
      /** Deliverability */
      title: string
      /** Mail from a domain is signed and trusted once these records are in its DNS. */
      how: string
      /** No domain yet. Add the one that your mail is from. */
      empty: string
      /** What receivers say of it */
      receivers: string
      /** Add a domain */
      add: string
      /** Add */
      addIt: string
      states: {
        /** right */
        ok: string
        /** missing */
        missing: string
        /** wrong */
        wrong: string
        /** no answer */
        unknown: string
        /** optional */
        optional: string
      }
      /** not checked yet */
      notAsked: string
      /** Asked */
      checked: string
      /** Check the DNS now */
      check: string
      /** Logo (BIMI) */
      logo: string
      /** There is none, and no receiver asks for one. */
      noLogo: string
      /** Records of {domain} */
      records: (domain: string | number) => string
      /** State */
      state: string
      /** What for */
      what: string
      /** Name */
      name: string
      /** Value */
      value: string
      /** Copy */
      action: string
      /** Copy the name */
      copyName: string
      /** Copy the value */
      copyValue: string
      uses: {
        /** whose it is */
        ownership: string
        /** signature (DKIM) */
        dkim: string
        /** senders (SPF) */
        spf: string
        /** policy (DMARC) */
        dmarc: string
        /** reports about TLS */
        tls: string
        /** lets reports come here */
        welcome: string
      }
      status: {
        /** not checked yet */
        pending: string
        /** verified */
        verified: string
        /** not verified */
        failed: string
      }
      /** Remove */
      remove: string
      /** Remove {domain}? */
      removeTitle: (domain: string | number) => string
      /** Sending from it is refused from now on, and its keys are deleted. */
      removeHow: string
    }>
    receivers: MessagesOf<{
      verdicts: {
        /** yours, aligned */
        yours_aligned: string
        /** yours, broken */
        yours_broken: string
        /** another service of yours */
        other_service: string
        /** a stranger */
        stranger: string
      }
      requirements: {
        /** SPF and DKIM */
        authentication: string
        /** A DMARC record */
        dmarc: string
        /** From is aligned */
        alignment: string
        /** The sending address has a name (PTR) */
        ptr: string
        /** Mail is encrypted on its way (TLS) */
        tls: string
        /** Unsubscribing with one click */
        one_click: string
        /** Under 0.1 % complaints, never 0.3 % */
        complaints: string
      }
      todo: {
        /** Publish the DKIM and SPF records of this domain, then check them. */
        authentication: string
        /** Publish the DMARC record of this domain, then check it. */
        dmarc: string
        /** Send from this domain only, and let every service that sends for it sign with a key of it. */
        alignment: string
        /** Ask whoever owns the address of your mail server to give it a name that leads back to it. */
        ptr: string
        /** Let your mail server encrypt: in Postfix, smtp_tls_security_level = may. */
        tls: string
        /**  */
        one_click: string
        /** Mail those who asked for it, slow down, and clean the lists. */
        complaints: string
      }
      evidence: {
        /** The last reply */
        refusal: string
        /** The last check of the DNS */
        dns: string
        /** Aligned, as receivers report */
        reports: string
        /** Complaints of 30 days */
        complaints: string
        /** Every mail that needs it has it */
        built_in: string
      }
      unknown: {
        /** Not checked yet, or the DNS did not answer */
        authentication: string
        /** Not checked yet, or the DNS did not answer */
        dmarc: string
        /** Fewer than 100 messages of yours were reported */
        alignment: string
        /** Only a refusal tells it, and there was none */
        ptr: string
        /** Only a refusal tells it, and there was none */
        tls: string
        /**  */
        one_click: string
        /** Fewer than 1,000 mails in 30 days */
        complaints: string
      }
      advice: {
        /** No report of the last 30 days was counted yet. */
        no_reports: string
        /** Too little mail of yours was reported to propose a policy: at least 100 messages on 7 days show enough. */
        too_few: string
        /** Mail of yours did not pass: find out why before a stricter policy. */
        yours_broken: string
        /** Your own mail of the last 30 days is aligned: p=quarantine is safe. */
        quarantine_safe: string
        /** Your own mail of the last 30 days is aligned: p=reject is safe. */
        reject_safe: string
        /** Your own mail of the last 30 days is aligned, and the policy is the strictest. */
        strongest: string
      }
      /** What receivers say of {domain} */
      title: (domain: string | number) => string
      /** All domains */
      all: string
      /** A report counts what one receiver saw, not what was delivered. */
      how: string
      /** Reports are taken once INBOUND_DOMAIN is set. */
      noAddress: string
      /** Reports are taken at */
      address: string
      /** What Gmail, Yahoo and Microsoft require */
      requirementsTitle: string
      /** Requirement */
      requirement: string
      /** Receiver */
      receiver: string
      /** State */
      state: string
      states: {
        /** met */
        met: string
        /** not met */
        not_met: string
        /** not known */
        unknown: string
      }
      /** Evidence */
      why: string
      /** What to do */
      whatToDo: string
      /** since */
      since: string
      /** Messages a day, as receivers report */
      chart: string
      /** Mail brought to this domain */
      tlsChart: string
      /** Sessions */
      sessions: string
      /** not encrypted as they should */
      tlsFailures: string
      /** handed over here */
      handedOver: string
      /** The policy of DMARC */
      policy: string
      /** Published now */
      current: string
      /** It could be */
      proposed: string
      /** Who else sends as this domain */
      sources: string
      /** No report counts anybody else. */
      noSources: string
      /** Day */
      day: string
      /** Server */
      source: string
      /** Key */
      signer: string
      /** Messages */
      messages: string
      /** Refused or as spam */
      rejected: string
      /** The last reports */
      received: string
      /** No report has come yet. */
      noReports: string
      /** Reporter */
      reporter: string
      /** About */
      kind: string
      kinds: {
        /** DMARC */
        dmarc: string
        /** TLS */
        tls: string
        /** a complaint */
        abuse: string
      }
      /** unverified: it counts nowhere */
      unverified: string
      /** verified */
      verified: string
      /** Messages or sessions */
      total: string
      /** others */
      others: string
    }>
    links: MessagesOf<{
      /** Links in mails */
      title: string
      /** Links, pages and pictures in mails are at this domain once these records are in its DNS. */
      how: string
      /** Use a domain of yours */
      add: string
      status: {
        /** not proved yet */
        pending: string
        /** in use */
        verified: string
        /** not right any more */
        failing: string
      }
      /** leads here */
      target: string
      /** Another workspace has proved this domain. */
      ofAnother: string
      /** Mails from now on have the links of this installation. Links in mails that were sent keep working. */
      removeHow: string
    }>
  }
  events: {
    general: MessagesOf<{
      /** Events */
      title: string
      /** Events, newest first */
      caption: string
      /** All events */
      all: string
      /** Names that were seen */
      names: string
      /** Names of events, in alphabetical order */
      namesCaption: string
      /** all names */
      anyName: string
      /** Name */
      name: string
      /** Contact */
      contact: string
      /** Contact */
      search: string
      /** ada@example.net */
      hint: string
      /** When */
      when: string
      /** Since */
      since: string
      /** Last seen */
      last: string
      /** any time */
      anyTime: string
      /** today (UTC) */
      today: string
      /** last 7 days */
      week: string
      /** last 30 days */
      month: string
      /** From */
      origin: string
      origins: {
        /** the API */
        api: string
        /** the payment provider */
        payments: string
      }
      /** Follow */
      follow: string
      /** somebody who was erased */
      erased: string
      /** No event yet. Your application reports what happens on its side, and rules can react. It needs an API key. */
      empty: string
      /** Make an API key */
      makeKey: string
      /** No event matches. */
      emptyFiltered: string
      /** Send an event */
      send: string
      /** What it is */
      about: string
      /** Happened */
      occurred: string
      /** Received */
      received: string
      /** Your id */
      callerId: string
      /** Its content */
      says: string
      /** What it caused */
      setOff: string
      /** Rule */
      rule: string
      /** a rule that was removed */
      deletedRule: string
      /** State */
      state: string
      /** Why */
      why: string
      /** Due */
      due: string
      /** Mail */
      mail: string
      /** Show */
      show: string
      /** No rule did anything for it. */
      nothing: string
      /** Try a rule with it */
      tryWith: string
      /** There is no rule yet. */
      tryNone: string
      /** New rule for it */
      newRule: string
      /** Mails to them */
      mails: string
      /** Their other events */
      theirs: string
      /** Jobs */
      jobs: string
      /** Choose… */
      chooseRule: string
    }>
  }
  frame: {
    frame: MessagesOf<{
      /** Skip to content */
      skip: string
      /** Find… */
      palette: string
      /** Keys */
      keys: string
      /** Test: no mail leaves this workspace. */
      test: string
      /** How tests work */
      testHow: string
    }>
    groups: MessagesOf<{
      /** Send */
      send: string
      /** Audience */
      audience: string
      /** Watch */
      watch: string
      /** Answer */
      answer: string
      /** Set up */
      setUp: string
    }>
    joins: MessagesOf<{
      /** ,  */
      comma: string
      /** :  */
      colon: string
      /** “{text}” */
      quoted: (text: string | number) => string
    }>
    main: MessagesOf<{
      /** You are not a member of any workspace. */
      none: string
    }>
    menu: MessagesOf<{
      /** Documentation */
      documentation: string
      /** Workspace */
      workspace: string
      /** Find… */
      palette: string
      /** Keys */
      keys: string
      /** Sign out */
      signOut: string
      /** Language */
      language: string
      /** Screens */
      screens: string
      /** Menu */
      menu: string
      /** Close */
      close: string
    }>
    palette: MessagesOf<{
      /** Find or do */
      title: string
      /** A name, a screen, an address, or a pasted id */
      hint: string
      /** Open {id} */
      open: (id: string | number) => string
      /** Mails to {address} */
      mailsTo: (address: string | number) => string
      /** Workspace {name} */
      workspace: (name: string | number) => string
      /** Nothing of that name. Paste an id such as msg_…, or type an e-mail address. */
      nothing: string
      /** Contact: {name} */
      contact: (name: string | number) => string
      /** Template: {name} */
      template: (name: string | number) => string
      /** Campaign: {name} */
      campaign: (name: string | number) => string
      /** List: {name} */
      list: (name: string | number) => string
      /** Rule: {name} */
      rule: (name: string | number) => string
      /** Mailbox: {name} */
      mailbox: (name: string | number) => string
      /** Segment: {name} */
      segment: (name: string | number) => string
      /** Sequence: {name} */
      sequence: (name: string | number) => string
      /** Recurring campaign: {name} */
      recurring: (name: string | number) => string
      /** Mail: {subject} to {email} */
      mail: (values: { subject: string | number; email: string | number }) => string
      /** Send a test mail: {name} */
      test: (name: string | number) => string
      acts: {
        /** New template from a finished mail */
        '/starters': string
        /** Add a contact */
        '/contacts/new': string
        /** Import contacts */
        '/contacts/import': string
        /** New campaign */
        '/campaigns/new': string
        /** New recurring campaign */
        '/campaigns/recurring/new': string
        /** New sequence */
        '/sequences/new': string
        /** New list */
        '/lists/new': string
        /** New segment */
        '/segments/new': string
        /** New rule */
        '/rules/new': string
        /** New mailbox */
        '/mailboxes/new': string
        /** New webhook */
        '/webhooks/new': string
        /** New agent */
        '/agents/new': string
      }
    }>
    screen: MessagesOf<{
      /** This screen could not be loaded */
      failed: string
      /** The server does not answer, or was upgraded. The screen is loaded as soon as it answers. */
      how: string
      /** Try again */
      again: string
    }>
    screens: MessagesOf<{
      /** Home */
      home: string
      /** Activity */
      activity: string
      /** Captured mail */
      captured: string
      /** Templates */
      templates: string
      /** Pictures */
      media: string
      /** Campaigns */
      campaigns: string
      /** Sequences */
      sequences: string
      /** Approvals */
      approvals: string
      /** Mailboxes */
      mailboxes: string
      /** Agents */
      agents: string
      /** Contacts */
      contacts: string
      /** Lists */
      lists: string
      /** Segments */
      segments: string
      /** Suppressions */
      suppressions: string
      /** Rules */
      rules: string
      /** Events */
      events: string
      /** Webhooks */
      webhooks: string
      /** Jobs */
      jobs: string
      /** Deliverability */
      domains: string
      /** Relays */
      relays: string
      /** Payments */
      payments: string
      /** Settings */
      settings: string
      /** Blocks */
      blocks: string
    }>
    shortcutList: MessagesOf<{
      /** Keys */
      title: string
      /** Open the row */
      enter: string
      /** Close */
      escape: string
    }>
  }
  home: {
    deliverability: MessagesOf<{
      /** Deliverability */
      title: string
      /** All domains */
      all: string
      /** No domain of yours is set up: mail from it is easily taken for spam. */
      none: string
      /** Set one up */
      add: string
      status: {
        /** verified */
        verified: string
        /** failed */
        failed: string
        /** not checked */
        pending: string
      }
      /** {n, plural, one {# requirement is not met} other {# requirements are not met}} */
      broken: (n: number) => string
      /** no requirement is broken */
      met: string
      /** Bounces of a day */
      bounced: string
      /** Complaints of a day */
      complained: string
      /** Campaigns are paused at {rate}. */
      pausedAt: (rate: string | number) => string
      /** {n, plural, one {# mail} other {# mails}} in 24 hours: too few for a rate. */
      tooFew: (n: number) => string
    }>
    firstSteps: MessagesOf<{
      /** First steps */
      title: string
      /** {done} of {all} done */
      progress: (values: { done: string | number; all: string | number }) => string
      /** done */
      done: string
      /** Hide them */
      hide: string
      /** How a program does it */
      program: string
      mail: {
        /** Send your first mail */
        does: string
        /** Write it here as a template, and send it to yourself. Or let a program do it, with an API key (paquebot key create). */
        how: string
        /** Write the first mail */
        act: string
      }
      contacts: {
        /** Bring in your contacts */
        does: string
        /** From a file: you see first what becomes of each row, and why a row is left out. */
        how: string
        /** Bring a file */
        act: string
      }
      relay: {
        /** Connect a mail server */
        does: string
        /** A relay, with the user and password that your provider gave you. Until then nothing leaves this machine. */
        how: string
        /** Add a relay */
        act: string
      }
      domain: {
        /** Show that your domain is yours */
        does: string
        /** Add it, publish the DNS records that are named there, and have them checked. */
        how: string
        /** Add a domain */
        act: string
      }
      campaign: {
        /** Send your first campaign */
        does: string
        /** Write it, see who would get it and who would not, and send it. */
        how: string
        /** Write a campaign */
        act: string
      }
    }>
    home: MessagesOf<{
      /** Last mails */
      last: string
      /** All activity */
      all: string
      /** No mail yet. */
      none: string
      /** Write the first mail */
      write: string
      /** Trust level {level} */
      trust: (level: string | number) => string
      /** How many campaign mails may leave in a day */
      trustHow: string
    }>
    sending: MessagesOf<{
      /** The last 30 days */
      title: string
      /** before: {n} */
      before: (n: string | number) => string
      /** Sent, 30 days earlier */
      sentBefore: string
      /** Mails a day */
      plot: string
      /** Sent */
      sent: string
      /** Delivered */
      delivered: string
      /** Bounced */
      bounced: string
      /** Complained */
      complained: string
      /** Suppressed */
      suppressed: string
      /** Failed */
      failed: string
      /** Opened */
      opened: string
      /** Clicked */
      clicked: string
      /** not reported */
      notReported: string
      /** Who reports deliveries */
      whoReports: string
      /** Mail from before the upgrade is still being counted. */
      partial: string
    }>
    waiting: MessagesOf<{
      /** Waits for your yes */
      title: string
      /** (no subject) */
      noSubject: string
      /** {n, plural, one {# approval} other {# approvals}} */
      all: (n: number) => string
    }>
  }
  jobs: {
    general: MessagesOf<{
      /** Jobs */
      title: string
      /** Jobs, the latest first */
      caption: string
      /** Mails, webhooks and imports are jobs. A failed job waits until somebody retries it; an uncertain one, until somebody says whether it arrived. */
      how: string
      /** State */
      state: string
      /** all */
      anyState: string
      /** Kind */
      kind: string
      /** About */
      about: string
      things: {
        /** Mail */
        msg: string
        /** Contact */
        con: string
        /** Campaign */
        cmp: string
        /** Endpoint */
        whe: string
      }
      /** Reason */
      why: string
      /** Attempts */
      attempts: string
      /** {n} of {most} */
      ofAttempts: (values: { n: string | number; most: string | number }) => string
      /** Due */
      due: string
      /** Action */
      action: string
      /** Try again */
      retry: string
      /** was tried again */
      retried: string
      /** Try all of these again */
      retryShown: string
      /** Cancel */
      cancel: string
      /** It arrived */
      arrived: string
      /** Send again */
      again: string
      /** All of these arrived */
      arrivedShown: string
      /** Done: {n}. */
      done: (n: string | number) => string
      /** Refused: {n}. */
      refused: (n: string | number) => string
      /** No job yet. They come with the first mail. */
      empty: string
      /** Write the first mail */
      firstMail: string
      /** No job is in this state. */
      emptyFiltered: string
    }>
  }
  lists: {
    general: MessagesOf<{
      /** Lists */
      title: string
      /** Sources */
      sources: string
      /** Mailing lists */
      listsCaption: string
      /** Sources of consent, oldest first */
      sourcesCaption: string
      /** Lists and sources */
      kind: string
      /** Name */
      name: string
      /** Subscribed */
      people: string
      /** To join */
      optIn: string
      /** Shown to */
      visible: string
      /** at once */
      single: string
      /** after a click in a mail */
      double: string
      /** everybody */
      everybody: string
      /** its subscribers */
      subscribers: string
      /** Made */
      made: string
      /** New list */
      newList: string
      /** New source */
      newSource: string
      /** No list yet. Campaigns go to lists, and people join them through sources such as a form. */
      empty: string
      /** No source yet. A source says where people agreed, and to which words: a form on your page is one. */
      emptySources: string
      /** All lists */
      all: string
      /** All sources */
      allSources: string
      /** About it */
      about: string
      /** Description */
      description: string
      /** Show it in the preference centre to everybody */
      isPublic: string
      /** Anybody may read what was sent to all of it, on a page and in a feed */
      hasPublicArchive: string
      /** Public archive */
      publicArchive: string
      /** Copy its address */
      archiveAddress: string
      /** Double opt-in: only after a click in a mail */
      isDouble: string
      /** Save */
      save: string
      /** Saved. */
      saved: string
      /** Change */
      change: string
      /** Archive */
      archive: string
      /** Archive this list? */
      archiveTitle: string
      /** Nothing is sent to it any more, and nobody can join it. Recorded consent is kept. */
      archiveHow: string
      /** This list is archived. */
      archived: string
      /** Type */
      type: string
      types: {
        /** form */
        form: string
        /** API */
        api: string
        /** import */
        import: string
        /** checkout */
        checkout: string
        /** by hand */
        manual: string
        /** integration */
        integration: string
      }
      /** Joins */
      joins: string
      /** What people agree to */
      consent: string
      /** Version {n} */
      consentVersion: (n: string | number) => string
      /** Pages that may use it */
      origins: string
      /** Such as https://shop.example, separated by commas. Without one, the form below does nothing. */
      originsHow: string
      /** Takes opt-ins */
      isActive: string
      /** yes */
      yes: string
      /** no */
      no: string
      /** Delete */
      remove: string
      /** Delete this source? */
      removeTitle: string
      /** It takes no more opt-ins. Consent given through it stays on record. */
      removeHow: string
      /** Form to copy */
      form: string
      /** For a page of yours. It needs no key of its own: the id of the source is public, and can only add a subscription. */
      formHow: string
      /** Keep programs away */
      guards: string
      /** A hidden field: whoever fills it in is not subscribed */
      honeypot: string
      /** Proof of work in the browser (ALTCHA, needs its script) */
      proofOfWork: string
      /** Minimum seconds between showing and submitting the form */
      leastSeconds: string
      /** A form without a script */
      plainForm: string
      /** Where the form without a script leads */
      formLeadsTo: string
      /** A page of yours, such as https://shop.example/thanks. Without one it leads to a page of ours. */
      formLeadsToHow: string
      /** The answer is a page. The form’s own page must be among the origins above. */
      plainFormHow: string
      /** How it looks without any style */
      preview: string
      /** E-mail address */
      email: string
      /** Subscribe */
      subscribe: string
      /** Please check your mail and confirm. */
      check: string
      /** Thank you. You are subscribed. */
      thanks: string
      /** That did not work. Please try again. */
      failed: string
      /** From a server */
      onServer: string
    }>
    held: MessagesOf<{
      /** Programs sign up? */
      title: string
      /** Cancel the waiting confirmation mails of this network */
      network: string
      /** It is named where sign-ups are held, under “Needs attention”. Those of other networks stay. */
      hint: string
      /** Cancel them */
      cancel: string
      /** Cancelled: {n, plural, one {# mail} other {# mails}}. */
      cancelled: (n: number) => string
    }>
  }
  mailboxes: {
    general: MessagesOf<{
      /** Mailboxes */
      title: string
      /** Mailboxes */
      caption: string
      /** All mailboxes */
      all: string
      /** New mailbox */
      create: string
      /** No mailbox yet: an address that receives mail, for people and agents to read and answer. */
      empty: string
      /** Address */
      address: string
      /** Its part before the @ of INBOUND_DOMAIN, or a whole address at a domain of yours. */
      addressHow: string
      /** Name */
      name: string
      /** The sender of its replies. */
      nameHow: string
      /** State */
      state: string
      /** Replies of agents */
      replies: string
      /** wait for a person */
      held: string
      /** leave at once */
      atOnce: string
      /** Made */
      made: string
      /** Save */
      save: string
      /** Saved. */
      saved: string
      /** It was created, but: */
      warned: string
      /** To the mailbox */
      go: string
      /** Change it */
      change: string
      /** Enable */
      enable: string
      /** Disable */
      disable: string
      /** It receives mail again, and its tokens work. */
      enabled: string
      /** It receives nothing, and its tokens do not work. */
      disabled: string
      /** Hold replies */
      hold: string
      /** Send replies at once */
      release: string
      /** Replies by agents wait for approval from now on. */
      holds: string
      /** Replies by agents are sent at once from now on. Replies that wait already keep waiting. */
      releases: string
      /** See what waits */
      waiting: string
      /** New inbound address */
      inbound: string
      /** Make a new address for a mail provider? */
      inboundTitle: string
      /** The one before stops working at once. */
      inboundHow: string
      /** Inbound address */
      inboundMade: string
      /** It is shown this once. Give it to your mail provider: anybody who knows it can deliver mail to this mailbox. */
      inboundOnce: string
      /** Delete */
      remove: string
      /** Delete this mailbox? */
      removeTitle: string
      /** Its tokens stop working at once, replies that wait are dropped, and its mail is removed within the hour. */
      removeHow: string
      /** Mail */
      mail: string
      /** No mail yet. Write to its address, and the mail appears here. */
      none: string
      /** unread */
      unread: string
      /** read */
      read: string
      /** From */
      from: string
      /** Subject */
      subject: string
      /** (no subject) */
      noSubject: string
      /** Sender */
      sender: string
      /** When */
      when: string
      /** Search mail */
      search: string
      /** invoice "several words" */
      searchHint: string
      /** No mail matches. */
      nothingFound: string
      /** Labels */
      labels: string
      /** Label */
      label: string
      /** Add label */
      addLabel: string
      /** Remove the label {label} */
      dropLabel: (label: string | number) => string
      /** All mail */
      allMail: string
      /** Unread */
      onlyUnread: string
      /** Any label */
      anyLabel: string
      /** Mark as read */
      markRead: string
      /** Mark as unread */
      markUnread: string
      /** to */
      to: string
      /** A received mail */
      came: string
      /** The conversation */
      conversation: string
      /** {n, plural, one {# mail has} other {# mails have}} come in this conversation. */
      inThread: (n: number) => string
      /** Read all of it */
      readIt: string
      /** A former member */
      somebody: string
      /** Its words are no longer stored. */
      wordsGone: string
      /** Reply */
      reply: string
      /** From {from} to {to} */
      replyFromTo: (values: { from: string | number; to: string | number }) => string
      /** As plain text, to this sender and nobody else, at once: */
      replyHow: string
      /** Send the reply */
      sendReply: string
      /** It is on its way. */
      answered: string
      /** Replying is not possible: it is automatic, or the reply would come back here. */
      neverAnswered: string
      /** This mailbox is disabled and cannot reply. */
      answersNot: string
      answerStates: {
        /** sent */
        sent: string
        /** waits for a person */
        waiting: string
        /** refused */
        refused: string
      }
      /** Mail by agents waits for a person */
      holdNew: string
      /** They write, and you read and approve it under Approvals. */
      holdNewHow: string
      /** To whom agents may write */
      writesTo: string
      /** A reply goes to the sender and needs no entry. Mail that an agent begins goes only to whom you name here; as long as that is nobody, it begins none. */
      writesToHow: string
      /** These addresses */
      addresses: string
      /** Between commas or on lines of their own, at most 100. */
      addressesHow: string
      /** Everybody at these domains */
      domains: string
      /** Such as example.com, at most 100. */
      domainsHow: string
      /** Active subscribers of these lists */
      lists: string
      /** Everybody who has written to this mailbox, if DMARC proves that it was them */
      correspondents: string
      /** Save to whom */
      saveWritesTo: string
      /** Read and decide */
      decide: string
    }>
  }
  parts: {
    abTest: MessagesOf<{
      /** Test (A/B) */
      title: string
      /** The winner is chosen */
      winner: string
      /** by hand */
      byHand: string
      /** by clicks (needs click tracking) */
      byClicks: string
      /** By clicks: after so many hours */
      afterHours: string
      /** Get nothing, in percent */
      holdOut: string
      /** Variant */
      variant: string
      /** Sent */
      sent: string
      /** Opened */
      opened: string
      /** Clicked */
      clicked: string
      /** Unsubscribed */
      left: string
      /** Clicks decide at {at}. */
      due: (at: string | number) => string
      /** Is {name} the winner? */
      chooseTitle: (name: string | number) => string
      verdict: {
        /** Nothing was sent yet. */
        nothing: string
        /** Too few clicks to tell; {leader} leads. */
        tooFew: (leader: string | number) => string
        /** Too close to call; {leader} leads. */
        close: (leader: string | number) => string
        /** {leader} is probably better ({sure}). */
        likely: (values: { leader: string | number; sure: string | number }) => string
        /** {leader} is very likely better ({sure}). */
        veryLikely: (values: { leader: string | number; sure: string | number }) => string
        /** more than {sure} */
        moreThan: (sure: string | number) => string
      }
    }>
    act: MessagesOf<{
      /** The server does not answer; nothing was changed. */
      offline: string
    }>
    attention: MessagesOf<{
      /** Needs attention */
      title: string
      /** Urgent */
      urgent: string
      /** Warning */
      warning: string
      /** Notice */
      notice: string
    }>
    capturedMail: MessagesOf<{
      /** The mail */
      mail: string
      /** Rendered */
      rendered: string
      /** HTML check */
      check: string
      /** Links */
      links: string
      /** Headers */
      headers: string
      /** Source */
      source: string
      /** The HTML part of the mail */
      html: string
      /** Open by itself */
      alone: string
      /** Download .eml */
      download: string
      /** Attachments */
      attachments: string
      /** unnamed */
      unnamed: string
      /** {kilobytes} KB of HTML; Gmail clips at 102. */
      size: (kilobytes: string | number) => string
      /** No problems found in the HTML. */
      sound: string
      /** What some clients do not support */
      gaps: string
      /** Clients without it */
      clients: string
      /** What their readers see */
      instead: string
      /** In the HTML */
      feature: string
      /** This mail has no HTML part. */
      notHtml: string
      /** It has no links. */
      noLinks: string
      /** Text */
      text: string
      /** Link */
      leads: string
      /** Problems */
      problems: string
      /** Place */
      place: string
      /** List-Unsubscribe headers */
      unsubscribe: string
      /** List-Unsubscribe */
      addresses: string
      /** One click (RFC 8058) */
      oneClick: string
      /** yes */
      yes: string
      /** no */
      no: string
      /** It has no List-Unsubscribe header. */
      none: string
      /** error */
      error: string
      /** warning */
      warning: string
      /** info */
      info: string
    }>
    chart: MessagesOf<{
      /** Show as a table */
      asTable: string
      /** Show as a plot */
      asPlot: string
      /** Time (UTC) */
      time: string
    }>
    confirm: MessagesOf<{
      /** Not now */
      back: string
      /** Type “{name}” to go on */
      type: (name: string | number) => string
    }>
    copy: MessagesOf<{
      /** Copy */
      copy: string
      /** Copied */
      copied: string
      /** Copy as curl */
      curl: string
      /** Copy as a command */
      command: string
    }>
    difference: MessagesOf<{
      /** Subject */
      subject: string
      /** Preheader */
      previewText: string
      ops: {
        /** added */
        added: string
        /** removed */
        removed: string
        /** moved */
        moved: string
        /** changed */
        changed: string
      }
      /** Nothing has changed. */
      nothing: string
      /** New variables: {names} */
      needs: (names: string | number) => string
      /** No longer used: {names} */
      needsNot: (names: string | number) => string
    }>
    empty: MessagesOf<{
      /** Make the first one */
      first: string
      /** How a program does it */
      program: string
    }>
    form: MessagesOf<{
      /** Not now */
      back: string
      /** Your unsaved input was restored: it is kept in this browser, but not saved yet. */
      again: string
      /** Discard it */
      discard: string
      /** Not saved yet; your input is kept in this browser. */
      refused: string
    }>
    leaving: MessagesOf<{
      /** Leave without saving? */
      title: string
      /** Your input is not saved and will be lost. */
      how: string
      /** Leave */
      leave: string
    }>
    load: MessagesOf<{
      /** Loading */
      loading: string
      /** This could not be loaded */
      failed: string
      /** Try again */
      again: string
      /** The server does not answer. */
      offline: string
    }>
    mailFrame: MessagesOf<{
      /** Dark */
      dark: string
      /** Phone */
      phone: string
      /** Without pictures */
      noPictures: string
      /** Text 200 % */
      large: string
      /** Right to left */
      rightToLeft: string
      /** Plain text */
      asText: string
    }>
    mails: MessagesOf<{
      /** To */
      to: string
      /** Subject */
      subject: string
      /** Status */
      status: string
      /** When */
      when: string
      /** Kind */
      kind: string
      /** (no subject) */
      noSubject: string
    }>
    maker: MessagesOf<{
      /** command line */
      operator: string
      /** maker unknown */
      unknown: string
    }>
    nowhere: MessagesOf<{
      /** There is no such page */
      nowhere: string
      /** To the start */
      back: string
    }>
    operatorWords: MessagesOf<{
      /** is */
      equals: string
      /** is not */
      notEquals: string
      /** is more than */
      greaterThan: string
      /** is less than */
      lessThan: string
      /** is there */
      exists: string
      /** is not there */
      notExists: string
      /** contains */
      contains: string
    }>
    pages: MessagesOf<{
      /** Pages */
      pages: string
      /** Next page */
      next: string
      /** First page */
      first: string
    }>
    pick: MessagesOf<{
      /** Choose… */
      choose: string
      /** {id} (is not there) */
      missing: (id: string | number) => string
    }>
    picture: MessagesOf<{
      /** Pictures */
      title: string
      /** All pictures */
      all: string
      /** Upload pictures */
      upload: string
      /** or drop or paste them anywhere on this page. PNG, JPEG, WebP or GIF, at most 10 MB. */
      orDrop: string
      /** or drop or paste them here. */
      orDropHere: string
      /** {name} has more than 10 MB. */
      tooLarge: (name: string | number) => string
      /** {name} is uploaded. */
      uploaded: (name: string | number) => string
      /** Name or description */
      search: string
      /** No picture is called or described like that. */
      emptyFiltered: string
      /** No pictures yet. Mails show them from here, and so need no other server. */
      empty: string
      /** {used} of {limit} used */
      room: (values: { used: string | number; limit: string | number }) => string
      /** Choose a picture */
      choose: string
      /** Older pictures */
      more: string
      /** What does it show? */
      whatItShows: string
      /** Read aloud to those who do not see it, and shown where pictures are not loaded. */
      whatItShowsHow: string
      /** Keep */
      keep: string
      /** It only decorates */
      decorates: string
      /** Name */
      name: string
      /** What it shows */
      alt: string
      /** not described */
      noAlt: string
      /** Save */
      save: string
      /** Saved. */
      saved: string
      /** Address */
      address: string
      /** Size */
      size: string
      /** {width} × {height} pixels */
      pixels: (values: { width: string | number; height: string | number }) => string
      /** animated */
      moves: string
      /** Uploaded */
      since: string
      /** Shown by */
      usedBy: string
      /** No mail that is still to be sent. */
      usedByNothing: string
      kinds: {
        /** Template */
        template: string
        /** Campaign */
        campaign: string
        /** Recurring campaign */
        recurringCampaign: string
        /** Brand */
        brand: string
      }
      /** Delete */
      remove: string
      /** If it was ever in a mail, it only leaves the library: mails already sent keep showing it. Otherwise its address shows nothing from now on. */
      removeHow: string
      /** Delete everywhere */
      erase: string
      /** {n, plural, one {# thing above shows} other {# things above show}} it. Its place stays empty there, and in mails already sent. */
      eraseHow: (n: number) => string
      /** Removed from the library; mails already sent keep showing it. */
      removed: string
      /** Deleted. */
      deleted: string
    }>
    received: MessagesOf<{
      /** From */
      from: string
      /** DMARC did not pass: the address may be forged. */
      forged: string
      /** This is an automatic mail ({why}); it is never replied to. */
      automatic: (why: string | number) => string
      /** {n, plural, one {# invisible passage} other {# invisible passages}}, hidden from agents and marked below. */
      hidden: (n: number) => string
      /** A machine would read: “{text}” */
      reads: (text: string | number) => string
      /** Quoted below it */
      quoted: string
      /** It is too large or too deeply nested to be shown here; the download is complete. */
      incomplete: string
      /** The mail as its sender wrote it */
      mail: string
      /** Attachments */
      files: string
      /** From an untrusted sender: open with care. */
      unsafe: string
      /** Download the original */
      source: string
      /** Show as text */
      asText: string
      /** The text of {file} */
      textOf: (file: string | number) => string
      /** Show more */
      moreText: string
      /** Not all of it could be read. */
      partOfText: string
    }>
    savedViews: MessagesOf<{
      /** Saved views */
      views: string
      /** Save this view */
      save: string
      /** What the list is narrowed down to and sorted by is kept under this name, for you, in this workspace. */
      how: string
      /** Name */
      name: string
      /** Rename the view {name} */
      rename: (name: string | number) => string
      /** Rename */
      give: string
      /** Forget the view {name} */
      forget: (name: string | number) => string
    }>
    search: MessagesOf<{
      /** Search */
      search: string
    }>
    shares: MessagesOf<{
      /** Outcome */
      part: string
      /** Reason */
      why: string
      /** People */
      count: string
      /** Share */
      share: string
      /** All */
      all: string
    }>
    status: MessagesOf<{
      /** queued */
      queued: string
      /** sending */
      sending: string
      /** sent */
      sent: string
      /** delivered */
      delivered: string
      /** delayed */
      delayed: string
      /** bounced */
      bounced: string
      /** complained */
      complained: string
      /** suppressed */
      suppressed: string
      /** failed */
      failed: string
      /** cancelled */
      cancelled: string
      /** uncertain */
      uncertain: string
      /** unsubscribed */
      unsubscribed: string
      /** unconfirmed */
      unconfirmed: string
      /** too often */
      rate_guardrail: string
      /** held out */
      held_out: string
      /** draft */
      draft: string
      /** approved */
      approved: string
      /** scheduled */
      scheduled: string
      /** paused */
      paused: string
      /** active */
      active: string
      /** disabled */
      disabled: string
      /** waiting */
      pending: string
      /** running */
      running: string
      /** held */
      held: string
      /** failed */
      dead: string
      /** uncertain */
      ambiguous: string
      /** done */
      done: string
      /** skipped */
      skipped: string
      /** became an event */
      processed: string
      /** ignored */
      ignored: string
      /** waiting */
      waiting: string
      /** completed */
      completed: string
      /** left */
      exited: string
      /** stopped */
      stopped: string
      /** made */
      made: string
      /** nothing new */
      nothing_new: string
      /** missed */
      missed: string
    }>
    suppressionReasons: MessagesOf<{
      /** hard bounce */
      hardBounce: string
      /** complaint */
      complaint: string
      /** added by hand */
      manual: string
      /** unsubscribed */
      unsubscribe: string
    }>
    table: MessagesOf<{
      /** Next row */
      next: string
      /** Previous row */
      previous: string
      /** Chosen */
      chosen: string
      /** Choose {name} */
      choose: (name: string | number) => string
    }>
    testClock: MessagesOf<{
      /** Move the clock */
      title: string
      /** Delayed mails, rules, scheduled campaigns and retries of this workspace are moved forward by that time. Whatever is then due runs at once. */
      how: string
      /** By */
      by: string
      /** Move it */
      move: string
      /** The clock was moved: {jobs, plural, one {# job is} other {# jobs are}} due sooner. */
      moved: (jobs: number) => string
      /** Nothing waits here. */
      nothing: string
      /** {jobs, plural, one {# job waits} other {# jobs wait}}, the next due */
      waiting: (jobs: number) => string
    }>
    tracking: MessagesOf<{
      /** not tracked */
      notTracked: string
      /** Count opens and clicks */
      track: string
      /** From now on, a picture in each mail of a campaign and links through this server tell who opened it and followed which link. Where you are, people may have to agree to that. */
      trackHow: string
      /** Stop counting opens and clicks */
      trackNoMore: string
      /** Mails sent from now on are not tracked. Earlier counts are kept. */
      trackNoMoreHow: string
      /** Saved. */
      switched: string
    }>
    tryAgain: MessagesOf<{
      /** Try again now */
      tryNow: string
      /** Tried again now: {n, plural, one {# mail} other {# mails}}. */
      tried: (n: number) => string
    }>
    undo: MessagesOf<{
      /** Undo */
      undo: string
      /** Close */
      close: string
    }>
    why: MessagesOf<{
      /** (at {at}) */
      goesOn: (at: string | number) => string
      /** The way it takes: */
      way: string
      /** and {n, plural, one {# more reason} other {# more reasons}} */
      more: (n: number) => string
    }>
  }
  payments: {
    general: MessagesOf<{
      /** Payments */
      title: string
      /** Reports of the payment provider become events of contacts, so that rules can react. For Stripe, and providers that sign in the same way. */
      how: string
      /** Connection */
      connection: string
      /** Give this address to the provider, as the one of its webhook: */
      address: string
      /** Its signing secret is kept sealed, and never shown again. */
      hasSecret: string
      /** It then shows a signing secret. Without one, nothing is accepted. */
      noSecret: string
      /** Signing secret */
      secret: string
      /** Another signing secret */
      newSecret: string
      /** As the provider shows it. Empty: it stays as it is. */
      secretHow: string
      /** Accept its reports */
      enabled: string
      /** Create a contact for an unknown address; it is not subscribed to anything */
      makesContacts: string
      /** Save */
      save: string
      /** Saved. */
      saved: string
      /** {n, plural, one {# kind of event is} other {# kinds of event are}} understood */
      types: (n: number) => string
      /** What was received */
      received: string
      /** State */
      status: string
      /** all */
      any: string
      /** Kind */
      type: string
      /** Result */
      becameWhat: string
      /** Id at the provider */
      id: string
      /** When */
      when: string
      /** Action */
      action: string
      /** Try again */
      again: string
      /** Retry those without a contact */
      allAgain: string
      /** an event of this contact */
      event: string
      /** no contact found */
      noContact: string
      /** this kind is not supported */
      unsupported: string
      /** repeated with different content */
      conflict: string
      /** It is now: {status}. */
      became: (status: string | number) => string
      /** {tried, plural, one {# was} other {# were}} tried again; {processed, plural, one {# became an event} other {# became events}}. */
      tried: (values: { tried: number; processed: number }) => string
      /** Nothing yet. Reports without a valid signature are refused and not kept. Begin with the provider’s secret. */
      empty: string
      /** Enter the secret */
      setUp: string
      /** Nothing is in this state. */
      emptyFiltered: string
    }>
  }
  recurring: {
    general: MessagesOf<{
      /** Recurring campaigns */
      title: string
      /** Recurring campaigns, newest first */
      caption: string
      /** All recurring campaigns */
      all: string
      /** All campaigns */
      campaigns: string
      /** No recurring campaign yet: a campaign each day, week or month, or of what is new in a feed, and none when nothing is. */
      empty: string
      /** New recurring campaign */
      create: string
      /** State */
      state: string
      /** Name */
      name: string
      /** When */
      when: string
      /** Next */
      next: string
      /** Feed */
      feed: string
      /** Failures in a row */
      failures: string
      /** Every day */
      everyDay: string
      /** Every {days} */
      everyWeek: (days: string | number) => string
      /** On day {day} of each month */
      everyMonth: (day: string | number) => string
      /** at {time} */
      atTime: (time: string | number) => string
      /** in each recipient’s time zone */
      ofEach: string
      /** Pause */
      pause: string
      /** Paused: it makes no campaign. */
      paused: string
      /** Resume */
      resume: string
      /** Resumed with its next time. */
      resumed: string
      /** It is paused. Resumed, it goes on with its next time; what passed is not made up for. */
      resumeHow: string
      /** Change */
      change: string
      /** Make one now */
      run: string
      /** Make a campaign now? */
      runTitle: string
      /** As at one of its times: the campaign is sent to its list at once, or waits where agents need approval. The schedule stays. */
      runHow: string
      /** Done: {outcome}. */
      ran: (outcome: string | number) => string
      /** Delete */
      remove: string
      /** Delete this recurring campaign? */
      removeTitle: string
      /** It makes no campaign any more. Those that it has made stay. This cannot be undone. */
      removeHow: string
      /** What and when */
      facts: string
      /** Subject */
      subject: string
      /** Preview text */
      preheader: string
      /** List */
      list: string
      /** Segment */
      segment: string
      /** The mail */
      itsMail: string
      /** its own content, as it was written */
      ownMail: string
      /** a list of what is new in the feed */
      newItems: string
      /** What the next mail would hold */
      nextMail: string
      /** As of now, for its list. Nothing is sent by looking. */
      nextMailHow: string
      /** There would be none: {outcome}. */
      noMail: (outcome: string | number) => string
      /** Items of the feed */
      items: string
      /** What became of its times */
      runs: string
      /** Times, the last first */
      runsCaption: string
      /** None has come yet. */
      noRuns: string
      /** Time */
      time: string
      /** Outcome */
      outcome: string
      /** Campaign, or why there is none */
      why: string
      /** Items */
      shown: string
      /** Show the campaign */
      showCampaign: string
      reasons: {
        /** nothing in the feed was new */
        nothing_new: string
        /** the server was not running */
        missed_window: string
      }
      /** There is no list yet to send to. Make one first. */
      noList: string
      /** Make a list */
      makeList: string
      /** At each time a campaign is made of this and sent. */
      how: string
      /** How often */
      every: string
      rhythms: {
        /** each day */
        day: string
        /** on days of the week */
        week: string
        /** on a day of the month */
        month: string
      }
      /** On */
      weekdays: string
      /** Day (the last one of a month that does not have it) */
      dayOfMonth: string
      /** Time of day */
      at: string
      /** In each recipient’s time zone */
      inRecipientZone: string
      /** The campaign is made when the first time zone on earth reaches this time. */
      inRecipientZoneHow: string
      /** Time zone */
      timeZone: string
      /** Only with what is new in a feed (RSS or Atom) */
      ofFeed: string
      /** Address of the feed */
      url: string
      /** Items in a mail, at most */
      maxItems: string
      /** Show what is in it */
      read: string
      /** In “{title}” now */
      feedSays: (title: string | number) => string
      /** It could not be read: {reason}. */
      feedFailed: (reason: string | number) => string
      /** It has no items. */
      feedEmpty: string
      /** Subject and content may hold '{{feed.newest}}', '{{feed.title}}', '{{feed.count}}'; a template shows the items in a list of feed.items. */
      placeholders: string
      /** none */
      none: string
      /** Save */
      save: string
      /** Save, and begin */
      saveNew: string
      /** Begin paused: it makes none before somebody resumes it */
      savePaused: string
      /** Its next times */
      nextTimes: string
      /** Choose a day to see them. */
      noTimes: string
      /** {name} (does not fit) */
      doesNotFit: (name: string | number) => string
    }>
  }
  relays: {
    general: MessagesOf<{
      /** Relays */
      title: string
      tabs: {
        /** Relays */
        relays: string
        /** Routes */
        routes: string
        /** Receivers */
        receivers: string
        /** Rules */
        rules: string
      }
      /** The mail servers that carry mail onward. What one cannot carry, another takes; a mail changes its relay only before it was handed over. */
      how: string
      /** Relays, that of SMTP_URL first */
      caption: string
      /** Add a relay */
      create: string
      /** No relay yet: mail is captured here, and nothing leaves. The first relay that is added carries it from then on. */
      empty: string
      /** All relays */
      all: string
      /** Name */
      name: string
      /** As it stands in lists and faults */
      nameHint: string
      /** Server */
      url: string
      /** smtp://host:587, smtps://host:465, or mx://name for mail without a relay; with the options of SMTP_URL. */
      urlHow: string
      /** It is {address}, with what was given then. Left empty, it stays; what is given here takes its place, sign-in and options included. */
      urlChangeHow: (address: string | number) => string
      /** User */
      user: string
      /** Password */
      password: string
      /** It is stored sealed and never shown. */
      passwordHow: string
      /** State */
      state: string
      states: {
        /** active */
        active: string
        /** draining */
        draining: string
        /** off */
        off: string
      }
      /** carries nothing */
      refuses: string
      /** Begins */
      begins: string
      beginsAs: {
        /** now, with the next mail */
        active: string
        /** turned off, to be tried first */
        off: string
      }
      /** Share */
      share: string
      /** Share (weight) */
      weight: string
      /** Its part of what several relays share: 2 carries twice as much as 1. 0 makes it a spare. */
      weightHow: string
      /** a spare */
      spare: string
      /** At most */
      limits: string
      /** {n} a second */
      perSecond: (n: string | number) => string
      /** {n} a day */
      perDay: (n: string | number) => string
      /** no limit */
      noLimit: string
      /** Most mails a second */
      mostPerSecond: string
      /** Most mails a day (UTC) */
      mostPerDay: string
      /** Empty: no limit. What is beyond it takes other relays, or waits. */
      mostHow: string
      /** For */
      streams: string
      /** None or all of them: all mail. */
      streamsHow: string
      streamNames: {
        /** mail that is asked for */
        transactional: string
        /** campaigns and the like */
        marketing: string
        /** replies of mailboxes */
        replies: string
      }
      /** all mail */
      allMail: string
      /** Whose mail */
      whose: string
      /** of every workspace without a relay of its own */
      everybodys: string
      /** everybody’s */
      everybodysShort: string
      /** {name} alone */
      ofOne: (name: string | number) => string
      /** Those that you belong to; paquebot relay can name any other. */
      whoseHow: string
      /** In 24 hours */
      taken: string
      /** On its way */
      inFlight: string
      /** {n, plural, one {# mail is on its way} other {# mails are on their way}} */
      mailsOnTheWay: (n: number) => string
      /** Warm-up */
      warmUp: string
      /** First day of its warm-up (UTC) */
      warmUpSince: string
      /** For a new address: few mails to each receiver at first, more each day, for two weeks; the rest takes warmer relays. Empty: it needs none. */
      warmUpHow: string
      /** day {day} of its warm-up */
      warmUpDay: (day: string | number) => string
      /** at most {n, plural, one {# mail} other {# mails}} to each receiver today. */
      warmUpToday: (n: number) => string
      /** Carried today */
      carriedToday: string
      /** Receiver */
      receiver: string
      /** {carried} of {allowed} */
      ofAllowed: (values: { carried: string | number; allowed: string | number }) => string
      /** Add it */
      save: string
      /** Save */
      saveChange: string
      /** Saved. It holds from the next mail on. */
      saved: string
      /** Change it */
      change: string
      /** How it is set */
      facts: string
      /** This is the relay of SMTP_URL. It is changed there, and carries the mail of everybody who has no other. */
      fixed: string
      /** since */
      since: string
      /** Added */
      added: string
      /** It is tried again at {at}. */
      triedAt: (at: string | number) => string
      /** Other relays that may carry its mail do so meanwhile. Its answer says why: a wrong password or server is changed on its page, a limit of the provider passes, and a test shows whether it is mended. */
      todo: string
      /** Drain it */
      drain: string
      /** It takes no new mail; what is on its way goes on. */
      drained: string
      /** Turn it off */
      turnOff: string
      /** It is off. */
      turnedOff: string
      /** Let it carry mail */
      turnOn: string
      /** It carries mail from the next one on. */
      turnedOn: string
      /** Remove */
      remove: string
      /** Remove this relay? */
      removeTitle: string
      /** Its mail takes the other relays; what is on its way ends first. Its password is forgotten. */
      removeHow: string
      /** Send a test mail through it */
      test: string
      /** At once, also while it is off: what it answers is shown here. */
      testHow: string
      /** To */
      testTo: string
      /** Send it */
      testIt: string
      outcomes: {
        /** It took the mail. */
        accepted: string
        /** It refused the mail. */
        refused: string
        /** The mail did not get as far as that. */
        not_sent: string
        /** Whether it took the mail is unknown: its answer was lost. */
        uncertain: string
        /** It takes nothing now. */
        held: string
        /** It takes nothing now. */
        put_off: string
        /** The mail was held back. */
        withheld: string
      }
    }>
    ordered: MessagesOf<{
      /** Earlier */
      up: string
      /** Later */
      down: string
      /** Remove */
      remove: string
    }>
    receiver: MessagesOf<{
      /** Receivers */
      title: string
      /** What each receiver said to each relay in the last 24 hours. One receiver’s trouble holds only its own mail; what is slowed down climbs again by itself. */
      how: string
      /** Answers of receivers, by relay, in the last 24 hours */
      caption: string
      /** Receiver */
      receiver: string
      /** No mail left in the last 24 hours. What receivers answer to it is counted here. */
      empty: string
      /** To the templates */
      firstMail: string
      /** {id} (removed) */
      gone: (id: string | number) => string
      /** {n, plural, one {# taken} other {# taken}} */
      accepted: (n: number) => string
      /** {n, plural, one {# put off} other {# put off}} */
      deferred: (n: number) => string
      /** {n, plural, one {# refused} other {# refused}} */
      refused: (n: number) => string
      /** no mail */
      nothing: string
      /** waits until {at} */
      waits: (at: string | number) => string
      /** slowed to {n} a second */
      slowed: (n: string | number) => string
      /** {n, plural, one {# at once at most} other {# at once at most}} */
      atOnce: (n: number) => string
      /** Put off or refused */
      legend: string
      shades: {
        /** none */
        none: string
        /** up to 1 % */
        few: string
        /** up to 5 % */
        some: string
        /** up to 20 % */
        many: string
        /** more */
        most: string
      }
      /** Show {n, plural, one {# receiver} other {# receivers}} */
      showAll: (n: number) => string
      /** All receivers */
      all: string
      /** {receiver} through {relay} */
      through: (values: { receiver: string | number; relay: string | number }) => string
      /** Last 24 hours */
      lastDay: string
      /** Now */
      now: string
      /** Mail goes there as fast as it comes. */
      free: string
      /** It asked for less */
      asked: string
      /** Try now */
      tryNow: string
      /** Forgets what was learnt: mail goes there at once and at full speed, until it says otherwise. */
      tryHow: string
      /** Mail goes there again as if nothing had been said. */
      tried: string
      /** What it answered last */
      replies: string
      /** Answers that were no acceptance, the newest first */
      repliesCaption: string
      /** It refused nothing and put nothing off. */
      noReplies: string
      /** Last */
      last: string
      /** Answer */
      outcome: string
      outcomes: {
        /** taken */
        accepted: string
        /** put off */
        deferred: string
        /** refused */
        refused: string
      }
      /** How often */
      count: string
      /** In its words */
      reply: string
      /** At */
      stage: string
    }>
    route: MessagesOf<{
      /** Which mail takes which relays. The first route that fits a mail holds; what fits none is shared by all relays, by their weights. */
      how: string
      /** Whose routes */
      whose: string
      /** Everybody’s */
      everybodys: string
      /** No route: all relays share all mail, by their weights. */
      none: string
      /** Add a route */
      add: string
      /** Route {n} */
      route: (n: string | number) => string
      /** Mail of this kind */
      streams: string
      /** None or all of them: all mail. */
      streamsHow: string
      /** From these domains */
      domains: string
      /** example.com, news.example.com */
      domainsHint: string
      /** Of the sender’s address. Empty: all of them. */
      domainsHow: string
      /** To these receivers */
      receivers: string
      /** google, microsoft, mx.example.net */
      receiversHint: string
      /** Who takes the mail in the end: google, microsoft, yahoo, apple, gmx, orange, or the host of the MX, or a domain. Empty: whoever it is. */
      receiversHow: string
      /** Goes through */
      relays: string
      /** Relay {n} */
      relay: (n: string | number) => string
      /** Share of relay {n} */
      weight: (n: string | number) => string
      /** Those with a share carry it together, by their shares; those with 0 are spares, in this order. */
      relaysHow: string
      /** Another relay */
      addRelay: string
      /** relay {n} of {route} */
      relayOf: (values: { n: string | number; route: string | number }) => string
      /** Save the routes */
      save: string
      /** Saved. They hold from the next mail on. */
      saved: string
      /** There is no relay here to lead mail to. Add one first. */
      noRelays: string
    }>
    rule: MessagesOf<{
      /** Rules */
      title: string
      /** What an answer of a receiver means for the mail that follows. The first rule that fits decides; your own come before those that are built in. Only mail that nobody waits for is slowed down or waits. */
      how: string
      /** Rule {n} */
      rule: (n: string | number) => string
      /** No rule of your own: those that are built in decide. */
      none: string
      /** Add a rule */
      add: string
      /** Save the rules */
      save: string
      /** Saved. They hold from the next answer on. */
      saved: string
      /** Answers of */
      receivers: string
      /** As they are called here: google, microsoft, mx.example.net. Empty: of everybody. */
      receiversHow: string
      /** SMTP codes */
      codes: string
      /** How they begin: 421, 4. Empty: whatever they are. */
      codesHow: string
      /** Enhanced codes */
      enhanced: string
      /** Or their first parts: 4.7.28, 4.7. Empty: whatever they are. */
      enhancedHow: string
      /** Words in the answer */
      contains: string
      /** A line each; one of them is enough, whatever the case. Empty: whatever it says. A rule names codes or words. */
      containsHow: string
      /** Then */
      action: string
      actions: {
        /** slow down */
        slow_down: string
        /** fewer connections */
        fewer_connections: string
        /** wait */
        suspend: string
        /** nothing */
        ignore: string
      }
      actionHow: {
        /** Fewer mails a second; where nothing is taken any more, mail waits. */
        slow_down: string
        /** Fewer mails at once. */
        fewer_connections: string
        /** No mail for a while. */
        suspend: string
        /** The answer changes nothing. */
        ignore: string
      }
      /** How much, and for how long */
      details: string
      /** Empty: as usual. */
      detailsHow: string
      /** Only from so many in a row on, at RCPT */
      inARow: string
      /** What is left, in % */
      by: string
      /** But never less than */
      floor: string
      /** First wait, in seconds */
      waitSeconds: string
      /** Raised again every so many seconds */
      rampSeconds: string
      /** By so many % */
      rampBy: string
      /** Try them on the last 30 days */
      try: string
      /** What they would have met */
      met: string
      /** Rules with the answers of the last 30 days that each would have met */
      metCaption: string
      /** What no rule fits */
      unmet: string
      /** Answers of the last 30 days that no rule fits, the most frequent first */
      unmetCaption: string
      /** In 30 days no receiver put off or refused a mail. */
      nothingMet: string
      /** {n, plural, one {# answer} other {# answers}} */
      answers: (n: number) => string
      /** built in */
      builtIn: string
      /** yours */
      own: string
      /** Built in */
      builtInTitle: string
      /** Rules that are built in, the first that fits decides */
      builtInCaption: string
      /** Answers of */
      whose: string
      /** everybody */
      everybody: string
      /** If they say */
      fits: string
      /** In 30 days */
      count: string
      /** Most often */
      example: string
      /** Answer */
      reply: string
      /** Whose */
      from: string
      /** or */
      or: string
      /** and */
      and: string
      /** to {share} */
      left: (share: string | number) => string
      /** first for {span} */
      waits: (span: string | number) => string
      /** from {n, plural, one {# in a row} other {# in a row}} on */
      inARowSays: (n: number) => string
    }>
  }
  rules: {
    general: MessagesOf<{
      /** Rules */
      title: string
      /** Rules, newest first */
      caption: string
      /** All rules */
      all: string
      /** New rule */
      create: string
      /** Rule */
      rule: string
      /** State */
      state: string
      /** On */
      on: string
      /** Off */
      off: string
      /** Switch on */
      turnOn: string
      /** Switch off */
      turnOff: string
      /** Change */
      change: string
      /** {name}: switched on */
      switchOf: (name: string | number) => string
      /** {name} is switched on. */
      switchedOn: (name: string | number) => string
      /** {name} is switched off. */
      switchedOff: (name: string | number) => string
      /** No rule yet. A rule says what to do when an event arrives. */
      empty: string
      /** Changed */
      changed: string
      /** Name */
      name: string
      /** When */
      when: string
      /** comes */
      comes: string
      /** and */
      and: string
      /** , */
      follows: string
      /** , */
      comma: string
      /** unless */
      unless: string
      /** comes first */
      before: string
      /** at once */
      atOnce: string
      /** after */
      after: string
      sends: {
        /** send */
        before: string
        /** to the contact */
        after: string
      }
      joins: {
        /** put the contact on */
        before: string
        /**  */
        after: string
      }
      sets: {
        /** set */
        before: string
        /** of the contact */
        after: string
      }
      /** nothing */
      nothing: string
      /** or */
      or: string
      units: {
        /** {n, plural, one {minute} other {minutes}} */
        m: (n: number) => string
        /** {n, plural, one {hour} other {hours}} */
        h: (n: number) => string
        /** {n, plural, one {day} other {days}} */
        d: (n: number) => string
      }
      afterSome: {
        /** after {n, plural, one {# minute} other {# minutes}} */
        m: (n: number) => string
        /** after {n, plural, one {# hour} other {# hours}} */
        h: (n: number) => string
        /** after {n, plural, one {# day} other {# days}} */
        d: (n: number) => string
      }
      actions: {
        /** send a template */
        send_template: string
        /** put on a list */
        subscribe: string
        /** set properties */
        update_contact: string
      }
      /** Event */
      event: string
      /** Property */
      property: string
      /** Comparison */
      operator: string
      /** Value */
      value: string
      /** true, false and numbers are values; in quotes they are text. */
      valueHow: string
      /** Action */
      action: string
      /** Template */
      template: string
      /** List */
      list: string
      /** Choose… */
      choose: string
      /** Lists with single opt-in only: a rule cannot confirm on a person’s behalf. */
      noList: string
      /** Delay */
      delay: string
      /** Unit of the delay */
      unitOf: string
      /** Cancelled by */
      cancelOn: string
      /** event, event */
      cancelHint: string
      /** And… */
      addCondition: string
      /** Another property */
      addProperty: string
      /** Remove {what} */
      removeOne: (what: string | number) => string
      /** Condition {n} */
      condition: (n: string | number) => string
      /** Fills the template */
      mapping: string
      /** A text, with '{{event.x}}' and '{{contact.x|fallback}}'. '{{event.x}}' in the template itself needs nothing here. */
      mappingHow: string
      /** What the mail is */
      purpose: string
      purposes: {
        /** Marketing: only for those who agreed to mail */
        marketing: string
        /** Transactional: also for those who did not; never for the suppressed */
        transactional: string
      }
      /** An owner of the workspace decides this. */
      purposeOwner: string
      /** Again for the same contact, each time */
      reEligible: string
      /** Save */
      save: string
      /** Saved. */
      saved: string
      /** Remove */
      remove: string
      /** {name} was removed. */
      removed: (name: string | number) => string
      /** Remove it, and {mails} that it has scheduled? */
      removeTitle: (mails: string | number) => string
      /** Scheduled mails are not sent. To keep the rule, switch it off instead. */
      removeHow: string
      /** {n, plural, one {# mail} other {# mails}} */
      mails: (n: number) => string
      /** Try it */
      try: string
      /** What it would have done with a received event: the saved rule, with the current contact, template and list. Nothing is sent. */
      tryHow: string
      /** With the event */
      tryWith: string
      /** Events of this name */
      ofThisName: string
      /** Other events */
      others: string
      /** No event yet. Send one: */
      noEvents: string
      /** It would run. */
      wouldRun: string
      /** It would do nothing. */
      wouldNot: string
      checks: {
        /** Event */
        event: string
        /** Switch */
        enabled: string
        /** Conditions */
        conditions: string
        /** Once per contact */
        once: string
        /** Not cancelled */
        cancelled: string
        /** Contact */
        contact: string
        /** Action */
        action: string
      }
      findings: {
        event: {
          /** of this name */
          yes: string
          /** of another name */
          no: string
        }
        enabled: {
          /** the rule is switched on */
          yes: string
          /** the rule is switched off */
          no: string
        }
        conditions: {
          /** all are met */
          yes: string
          /** one is not met */
          no: string
        }
        once: {
          /** the first time for this contact */
          yes: string
          /** it ran for this contact before */
          no: string
        }
        cancelled: {
          /** no event cancelled it */
          yes: string
          /** an event came that cancels it */
          no: string
        }
        contact: {
          /** may be mailed */
          yes: string
          /** may not be mailed */
          no: string
        }
        action: {
          /** can be done */
          yes: string
          /** cannot be done */
          no: string
        }
      }
      /** Check */
      check: string
      /** Found */
      found: string
      /** Holds */
      ok: string
      /** yes */
      yes: string
      /** no */
      no: string
      /** says */
      says: string
      /** nothing */
      saysNothing: string
      /** What it would do */
      wouldSend: string
      /** To */
      to: string
      /** Subject */
      subject: string
      /** Due */
      at: string
      /** Language */
      locale: string
      /** Filled with */
      variables: string
      /** What really happened */
      really: string
      /** It did nothing with this event. */
      neverRan: string
      /** the mail */
      theMail: string
      /** the event */
      theEvent: string
      /** Scheduled */
      scheduled: string
      /** Due by day (UTC) */
      calendar: string
      /** Day */
      day: string
      /** Mails */
      count: string
      /** The next 10,000; there are more. */
      more: string
      /** It has nothing scheduled. */
      noneScheduled: string
      /** Contact */
      contact: string
      /** somebody who was erased */
      erased: string
      /** Due */
      due: string
    }>
  }
  segments: {
    general: MessagesOf<{
      fields: {
        /** address */
        email: string
        /** domain of the address */
        domain: string
        /** first name */
        firstName: string
        /** last name */
        lastName: string
        /** your id */
        userId: string
        /** group */
        userGroup: string
        /** source */
        source: string
        /** language */
        locale: string
        /** time zone */
        timezone: string
        /** agreed to mail */
        subscribed: string
        /** added */
        createdAt: string
      }
      states: {
        /** subscribed */
        active: string
        /** asked to confirm */
        pending: string
        /** unsubscribed */
        unsubscribed: string
        /** declined */
        rejected: string
        /** did not confirm in time */
        expired: string
        /** mail bounced */
        bounced: string
        /** complained */
        complained: string
      }
      /** Segments */
      title: string
      /** Segments */
      caption: string
      /** All segments */
      all: string
      /** New segment */
      create: string
      /** Name */
      name: string
      /** Contacts */
      contacts: string
      /** being built: {percent} % */
      building: (percent: string | number) => string
      /** Until it is built, contacts are looked at one by one, and the number may be a reckoned one. */
      untilBuilt: string
      /** Changed */
      changed: string
      /** No segment yet. It is a saved search: a campaign can go to those of its list who are in one. */
      empty: string
      /** Who is meant */
      conditions: string
      /** Change */
      change: string
      /** Save */
      save: string
      /** Saved. */
      saved: string
      /** Campaigns for it that have not begun go by the new conditions. One that was approved needs a new approval. */
      waiting: string
      /** Delete */
      remove: string
      /** {name} was deleted. */
      removed: (name: string | number) => string
      /** Show the campaign */
      usedBy: string
      modes: {
        /** All of these hold: */
        all: string
        /** At least one of these holds: */
        any: string
        /** None of these holds: */
        none: string
      }
      /** Together */
      mode: string
      /** Group {at} */
      group: (at: string | number) => string
      /** Condition {at} */
      condition: (at: string | number) => string
      /** Remove {what} */
      removeOne: (what: string | number) => string
      /** Add a condition */
      addCondition: string
      /** Add a group */
      addGroup: string
      /** What it is about */
      about: string
      kinds: {
        /** Field */
        field: string
        /** List */
        list: string
        /** Event */
        event: string
        /** Campaign */
        campaign: string
      }
      /** Field or property */
      field: string
      /** Fields */
      ownFields: string
      /** Your properties */
      properties: string
      /** Comparison */
      comparison: string
      comparisons: {
        /** is */
        eq: string
        /** is not */
        ne: string
        /** is more than */
        gt: string
        /** is at least */
        gte: string
        /** is less than */
        lt: string
        /** is at most */
        lte: string
        /** contains */
        contains: string
        /** is known */
        exists: string
        /** is not known */
        missing: string
        /** was in the last */
        withinDays: string
      }
      ofDates: {
        /** is after */
        gt: string
        /** is on or after */
        gte: string
        /** is before */
        lt: string
        /** is on or before */
        lte: string
      }
      /** Value */
      value: string
      /** nothing */
      nothing: string
      /** {yes, select, true {yes} other {no}} */
      yesOrNo: (yes: boolean) => string
      /** {n, plural, one {# day} other {# days}} */
      days: (n: number) => string
      /** {n, plural, one {day} other {days}} */
      dayUnit: (n: number) => string
      /** Choose… */
      choose: string
      /** List */
      list: string
      /** State */
      state: string
      /** Event */
      event: string
      engagements: {
        /** was sent */
        sent: string
        /** opened */
        opened: string
        /** clicked in */
        clicked: string
      }
      /** What happened */
      engagement: string
      /** Campaign */
      campaign: string
      /** any campaign */
      anyCampaign: string
      /** at least */
      atLeast: string
      /** {n, plural, one {time} other {times}} */
      times: (n: number) => string
      /** in the last */
      inLast: string
      /** ever */
      ever: string
      /** at least {n, plural, one {# time} other {# times}} */
      atLeastTimes: (n: number) => string
      /** in the last {n, plural, one {# day} other {# days}} */
      inLastDays: (n: number) => string
      /** As JSON */
      json: string
      /** What the API takes. A change here is a change above. */
      jsonHow: string
      /** This is not a filter yet; above is the last one that was. */
      noFilter: string
      /** Who is in it now */
      preview: string
      /** Say what is missing in the conditions, and it stands here who meets them. */
      notWhole: string
      /** Nobody meets this. */
      nobody: string
      /** {n, plural, one {# contact} other {# contacts}} */
      found: (n: number) => string
      /** About {n, plural, one {# contact} other {# contacts}}. */
      reckoned: (n: number) => string
      /** The first of them: */
      firstOnes: string
      /** Who is in it */
      members: string
      /** Contacts in this segment, the first added first */
      membersCaption: string
      /** Search among them */
      searchThem: string
      /** Address */
      address: string
      /** Name */
      person: string
      /** Agreed to mail */
      consent: string
      /** Since */
      since: string
    }>
  }
  sequences: {
    canvas: MessagesOf<{
      /** Steps */
      steps: string
      types: {
        /** Send a mail */
        send: string
        /** Wait */
        wait: string
        /** Wait for an event */
        event: string
        /** Gather into one mail */
        digest: string
        /** Branch */
        branch: string
        /** Update the contact */
        update: string
        /** Put on a list */
        subscribe: string
        /** Take off a list */
        unsubscribe: string
        /** Tell a webhook */
        webhook: string
      }
      /** {id} (is not there) */
      missing: (id: string | number) => string
      /** Step {n} */
      step: (n: string | number) => string
      /** Add a step */
      add: string
      /** Add a step as number {step} */
      addAt: (step: string | number) => string
      /** Which step? */
      whichStep: string
      /** Add none */
      addNone: string
      /** Move step {step} up */
      up: (step: string | number) => string
      /** Move step {step} down */
      down: (step: string | number) => string
      /** Remove step {step} */
      remove: (step: string | number) => string
      /** Alt with an arrow moves a step that has the focus. */
      keys: string
      /** Now step {n}. */
      movedTo: (n: string | number) => string
      /** The step was removed. */
      removed: string
      /** entered {n} */
      entered: (n: string | number) => string
      /** here {n} */
      here: (n: string | number) => string
      /** sent {n} */
      sent: (n: string | number) => string
      /** skipped {n} */
      skipped: (n: string | number) => string
      /** opened {n} */
      opened: (n: string | number) => string
      /** clicked {n} */
      clicked: (n: string | number) => string
      /** Figures are of version {version}. */
      countsOf: (version: string | number) => string
      /** Name */
      name: string
      /** Save */
      save: string
      /** Saved. */
      saved: string
      /** Not saved yet. */
      unsaved: string
      /** Discard */
      discard: string
      /** Somebody else has saved this sequence meanwhile. Nothing of yours is lost: it stays in this browser until you decide. */
      conflict: string
      /** Only in theirs */
      onlyTheirs: string
      /** Only in yours */
      onlyMine: string
      /** Take theirs */
      takeTheirs: string
      /** Save yours instead */
      keepMine: string
      /** Template */
      template: string
      /** Open the template */
      openTemplate: string
      /** What fills it */
      variables: string
      /** Text, '{{event.name}}' or '{{contact.name}}'. What the template takes from the event or the contact needs no word here. */
      variablesHow: string
      /** Wait */
      waitFor: string
      waits: {
        /** for some time */
        for: string
        /** until a time of day */
        at: string
        /** until a date of the person */
        date: string
      }
      /** How long */
      amount: string
      /** Unit */
      unit: string
      units: {
        /** {n, plural, one {minute} other {minutes}} */
        m: (n: number) => string
        /** {n, plural, one {hour} other {hours}} */
        h: (n: number) => string
        /** {n, plural, one {day} other {days}} */
        d: (n: number) => string
      }
      spans: {
        /** {n, plural, one {# minute} other {# minutes}} */
        m: (n: number) => string
        /** {n, plural, one {# hour} other {# hours}} */
        h: (n: number) => string
        /** {n, plural, one {# day} other {# days}} */
        d: (n: number) => string
      }
      /** At this time, where the person is */
      at: string
      /** And then until this time, where the person is (or none) */
      thenAt: string
      /** Only on */
      weekdays: string
      /** Date property */
      date: string
      /** when they were added */
      createdAt: string
      /** Days after it (−3: three days before) */
      days: string
      /** A date that is over, or missing, is not waited for. */
      dateHow: string
      /** until {at} */
      untilTime: (at: string | number) => string
      /**  on {days} */
      on: (days: string | number) => string
      untilDate: {
        /** until {name} */
        on: (name: string | number) => string
        /** until {days, plural, one {# day} other {# days}} before {name} */
        before: (values: { days: number; name: string | number }) => string
        /** until {days, plural, one {# day} other {# days}} after {name} */
        after: (values: { days: number; name: string | number }) => string
      }
      /** Event */
      event: string
      /** At most for */
      atMost: string
      /** One that came shortly before counts, too */
      lookBack: string
      /** How long before */
      lookBackFor: string
      /** at most {span} */
      spanAtMost: (span: string | number) => string
      /** or up to {span} before */
      orBefore: (span: string | number) => string
      /** If */
      if: string
      /** Branch {n} */
      branch: (n: string | number) => string
      /** Add a branch */
      addBranch: string
      /** Remove {what} */
      removeOne: (what: string | number) => string
      /** What decides */
      about: string
      kinds: {
        /** the contact */
        contact: string
        /** the event that began it */
        event: string
        /** a click on a mail of it */
        clicked: string
        /** chance */
        share: string
      }
      /** they clicked in {step} */
      clickedIn: (step: string | number) => string
      /** Mail of the step */
      ofMail: string
      /** Of a hundred people */
      share: string
      /** {n} of 100 people */
      shareOf: (n: string | number) => string
      /** Condition {n} */
      condition: (n: string | number) => string
      /** Property */
      property: string
      /** Comparison */
      operator: string
      /** Value */
      value: string
      /** Add a condition */
      addCondition: string
      /** always */
      always: string
      /**  and  */
      and: string
      /** Properties */
      properties: string
      /** Text, a number, true, null to clear it, '{{event.name}}' or '{{contact.name}}'. */
      nullHow: string
      /** Add a property */
      addProperty: string
      /** List */
      list: string
      /** Only lists without a confirmation by mail can be chosen. */
      noList: string
      /** Publishes sequence.stepReached to your webhooks, with the id of this step. */
      webhookHow: string
      /** Then */
      next: string
      /** When it comes */
      comes: string
      /** When it does not come in time */
      otherwise: string
      /** When no branch fits */
      none: string
      /** the step below */
      below: string
      /** the end */
      theEnd: string
      /** Who begins */
      start: string
      /** It begins */
      startBy: string
      starts: {
        /** only for whom you put in */
        hand: string
        /** with an event */
        event: string
        /** with a list */
        list: string
        /** with a segment */
        segment: string
        /** with a property of the contact */
        property: string
        /** with what comes of a mail */
        mail: string
        /** on a date of the contact */
        date: string
      }
      triggers: {
        /** an event */
        event: string
        /** a list */
        list: string
        /** a segment */
        segment: string
        /** a property of the contact */
        property: string
        /** what comes of a mail */
        mail: string
      }
      /** Segment */
      segment: string
      /** What comes of it */
      fromMail: string
      mails: {
        /** a click on a link of a campaign */
        clicked: string
        /** a mail that bounced for good */
        bounced: string
      }
      /** Campaign */
      campaign: string
      /** any campaign */
      anyCampaign: string
      /** Each year */
      yearly: string
      /** Only an event with the key of this run */
      sameKey: string
      /** each year */
      eachYear: string
      /** of the same key */
      withSameKey: string
      /** Change */
      change: string
      changes: {
        /** they join it */
        joined: string
        /** they leave it */
        left: string
      }
      /** Only when it becomes (empty: every change) */
      anyValue: string
      triggerWords: {
        /** the event {name} */
        event: (name: string | number) => string
        /** joining {list} */
        joined: (list: string | number) => string
        /** leaving {list} */
        left: (list: string | number) => string
        /** a change of {name} */
        property: (name: string | number) => string
        /** {name} becoming {value} */
        equals: (values: { name: string | number; value: string | number }) => string
        /** a click on a link of {campaign} */
        clickIn: (campaign: string | number) => string
        date: {
          /** {name} */
          on: (name: string | number) => string
          /** {days, plural, one {# day} other {# days}} before {name} */
          before: (values: { days: number; name: string | number }) => string
          /** {days, plural, one {# day} other {# days}} after {name} */
          after: (values: { days: number; name: string | number }) => string
        }
      }
      /** Begins with {by}. */
      begins: (by: string | number) => string
      /** Begins only for whom you put in. */
      byHand: string
      /** How often */
      reEntry: string
      modes: {
        /** Once: whoever was in it does not begin again */
        never: string
        /** Again, once it is over for them */
        afterExit: string
        /** Each time, also while it goes on for them */
        always: string
      }
      modesSaid: {
        /** Once each. */
        never: string
        /** Again once it is over. */
        afterExit: string
        /** Each time. */
        always: string
      }
      /** Days that must lie between */
      minDays: string
      /** Apart for each (empty: one for each person) */
      key: string
      /** For example '{{event.cartId}}': two carts of one person go through it side by side, and each counts by itself. */
      keyHow: string
      /** Apart for each {key}. */
      keySaid: (key: string | number) => string
      /** Who leaves early */
      ends: string
      /** Exits */
      exits: string
      /** Takes people out wherever they are; no mail leaves after it. */
      exitsHow: string
      /** Goals */
      goals: string
      /** Takes them out as well, and counts as reached. */
      goalsHow: string
      /** No. {n} */
      trigger: (n: string | number) => string
      /** Add an exit */
      addExit: string
      /** Add a goal */
      addGoal: string
      /** Leave by {by}. */
      leaveBy: (by: string | number) => string
      /** Reach the goal by {by}. */
      reachBy: (by: string | number) => string
      /** Nobody: all go to the end. */
      nobodyLeaves: string
      /**  or  */
      or: string
      /** Its mail */
      mail: string
      /** Purpose */
      purpose: string
      purposes: {
        /** Marketing: only to people who agreed to mail */
        marketing: string
        /** Transactional: also to those who did not */
        transactional: string
      }
      purposesSaid: {
        /** Marketing mail. */
        marketing: string
        /** Transactional mail. */
        transactional: string
      }
      /** An owner of the workspace decides this. */
      purposeOwner: string
      /** Only to subscribers of */
      subscribersOf: string
      /** no list in particular */
      anyList: string
      /** To subscribers of {name}. */
      onList: (name: string | number) => string
      /** Put off at most for */
      postpone: string
      /** When a daily limit or too much mail to the same person stands in the way; after that the mail is skipped. */
      postponeHow: string
      /** Put off at most {span}. */
      postponed: (span: string | number) => string
    }>
    digest: MessagesOf<{
      /** Gather */
      gather: string
      /** The template shows them in a list of the variable digest.items, with '{{item.name}}' for what each says; '{{digest.count}}' is how many there are, '{{digest.more}}' how many of them it does not show. When nothing came, no mail is sent. */
      how: string
      /** How many of them the mail shows */
      items: string
      /** Which of them */
      order: string
      orders: {
        /** the newest first */
        newest: string
        /** the oldest first */
        oldest: string
      }
    }>
    general: MessagesOf<{
      /** Sequences */
      title: string
      /** Sequences, newest first */
      caption: string
      /** All sequences */
      all: string
      /** New sequence */
      create: string
      /** State */
      state: string
      /** Name */
      name: string
      /** Version */
      version: string
      /** Changed */
      changed: string
      /** In it */
      inIt: string
      /** Uncertain */
      uncertain: string
      /** Failed */
      failed: string
      /** Completed */
      completed: string
      /** Left */
      exited: string
      /** No sequence yet. It does something for each person, step by step: sends a mail, waits, looks what they did, and goes on. Begin with a recipe, or with a blank one. */
      empty: string
      /** Begin with a blank one */
      blank: string
      /** Recipes */
      recipesTitle: string
      /** Each makes a draft. Nobody gets anything before you publish it; everything in it can be changed. */
      recipesHow: string
      /** Begin with it */
      use: string
      recipes: {
        welcome: {
          /** Welcome series */
          name: string
          /** Greets whoever signs up, gives tips on workdays, and ends with an offer. */
          does: string
        }
        abandonedCart: {
          /** Abandoned cart */
          name: string
          /** Reminds three times of each cart by itself, until something is bought. */
          does: string
        }
        trial: {
          /** Trial that ends */
          name: string
          /** Helps those who are stuck, and says in time that fourteen days are over. */
          does: string
        }
        winBack: {
          /** Win-back */
          name: string
          /** Writes sixty days after an order, if no other has come. */
          does: string
        }
        birthday: {
          /** Birthday */
          name: string
          /** Congratulates each year at nine, where the person is. */
          does: string
        }
        digest: {
          /** Digest of what came */
          name: string
          /** Gathers comments for an hour and sends one mail with all of them, instead of one for each. */
          does: string
        }
        dunning: {
          /** Failed payment */
          name: string
          /** Asks three times for a payment that failed, until the invoice is paid. */
          does: string
        }
      }
      /** Blank */
      blankTitle: string
      /** One step, which waits a day. Add the others where they belong. */
      blankHow: string
      /** Draft it */
      draftIt: string
      /** Parts of the sequence */
      tabs: string
      /** Steps */
      steps: string
      /** People */
      people: string
      /** Pause */
      pause: string
      /** Resume */
      resume: string
      /** Paused: nobody gets anything until you resume. */
      paused: string
      /** It goes on. */
      resumed: string
      /** It is paused, and everybody stays where they are. */
      pausedTitle: string
      /** Its mails cannot be made: {reason}. Mend the template or the sender, then resume. */
      pausedHow: (reason: string | number) => string
      pauses: {
        /** Somebody paused it. Resume it when it may go on. */
        manual: string
        /** The database was put back or copied, so people may be further along than it knows. Look at some of them under People, then resume. */
        restored: string
        /** Too many addresses bounced. Find out where they came from and remove them before you resume. */
        bounce_rate: string
        /** Too many people complained. Ask fewer people, or say more clearly why they get it, before you resume. */
        complaint_rate: string
      }
      waitsFor: {
        /** It waits: the workspace is suspended. */
        workspace_suspended: string
      }
      /** It was stopped: everybody has left, and it does not come back. */
      stoppedHow: string
      /** Stop for good */
      stop: string
      /** End it for everybody */
      stopTitle: string
      /** {n, plural, one {# person is} other {# people are}} in it and will leave. No further mail is sent, nobody begins, and it does not come back. To hold it for a while, pause it. */
      stopHow: (n: number) => string
      /** Delete */
      remove: string
      /** {name} was deleted. */
      removed: (name: string | number) => string
      /** It is a draft. Nobody begins it before it is published. */
      unpublished: string
      /** People begin version {version}, which is what stands here. */
      isPublished: (version: string | number) => string
      /** People begin version {version}. What stands here differs from it. */
      differs: (version: string | number) => string
      /** Publish */
      publish: string
      /** Publish {name} */
      publishTitle: (name: string | number) => string
      /** From now on people begin with version {version}, as it stands here. */
      publishHow: (version: string | number) => string
      /** {n, plural, =0 {Nobody is in it now.} one {# person is in it and stays in the version that they began.} other {# people are in it and stay in the version that they began.}} */
      staying: (n: number) => string
      /** {n, plural, one {# person is} other {# people are}} in it. Whoever’s mail is on its way stays. */
      moving: (n: number) => string
      /** Move them to the new version */
      moveThem: string
      /** Who moves where */
      moves: string
      /** From */
      from: string
      /** To */
      to: string
      /** {stepId} of version {version} */
      stepOf: (values: { stepId: string | number; version: string | number }) => string
      /** they stay where they are */
      stays: string
      /** they leave */
      movesOut: string
      /** Next mail */
      nextMail: string
      /** none */
      noMail: string
      /** It stays paused until you resume it. */
      staysPaused: string
      /** Its mail is transactional: it goes also to people who did not agree to mail. */
      forEverybody: string
      /** What is published */
      whatIsPublished: string
      /** Published. */
      published: string
      /** Save first; what is saved is what is published. */
      saveFirst: string
      /** Rehearse it */
      rehearsal: string
      /** What it would do with somebody, and when: with the consent, the limits and the properties that they have now. Nothing is sent, and nothing stays. */
      rehearsalHow: string
      /** What is saved is rehearsed: save your changes first. */
      rehearseSaved: string
      /** Rehearse */
      rehearse: string
      /** For the contact with this address */
      rehearseFor: string
      /** Properties of the event that begins it, one a line */
      beginProperties: string
      /** What happens meanwhile */
      meanwhile: string
      /** Event no. {n} */
      meanwhileOf: (n: string | number) => string
      /** So long after the begin */
      afterBegin: string
      /** Add an event */
      addMeanwhile: string
      /** {n, plural, one {# thing keeps} other {# things keep}} it from being published: */
      missing: (n: number) => string
    }>
    mail: MessagesOf<{
      mails: {
        welcome: {
          /** Welcome */
          subject: string
          /** It is good that you are here.  This is how you begin: … */
          text: string
        }
        'welcome-tips': {
          /** Three tips to begin with */
          subject: string
          /** Most people find these useful in their first days:  1. …  2. …  3. … */
          text: string
        }
        'welcome-offer': {
          /** Something for your first order */
          subject: string
          /** You have looked around by now. This week your first order costs less: … */
          text: string
        }
        'cart-reminder': {
          /** You left something in your cart */
          subject: string
          /** It is still there, as you left it: … */
          text: string
        }
        'cart-questions': {
          /** Is anything unclear? */
          subject: string
          /** Something kept you from ordering. If it was a question, reply to this mail. */
          text: string
        }
        'cart-last-call': {
          /** We keep your cart until tonight */
          subject: string
          /** After that it is emptied. Here it is: … */
          text: string
        }
        'trial-welcome': {
          /** Your trial begins */
          subject: string
          /** You have fourteen days. A first project takes ten minutes: … */
          text: string
        }
        help: {
          /** Shall we help you begin? */
          subject: string
          /** There is no project in your account yet. This is the shortest way to one: … */
          text: string
        }
        'trial-ends-soon': {
          /** Your trial ends in three days */
          subject: string
          /** This is what you keep, and what it costs: … */
          text: string
        }
        'trial-last-day': {
          /** Your trial ends today */
          subject: string
          /** To go on, choose a plan: … */
          text: string
        }
        'trial-last-day-for-teams': {
          /** The trial of your team ends today */
          subject: string
          /** To go on together, choose a plan: … */
          text: string
        }
        'we-miss-you': {
          /** It has been a while */
          subject: string
          /** This is new since your last order: … */
          text: string
        }
        'come-back-offer': {
          /** Something for your next order */
          subject: string
          /** With this your next order costs less: … */
          text: string
        }
        'happy-birthday': {
          /** Happy birthday */
          subject: string
          /** All the best for the new year of your life. */
          text: string
        }
        'payment-failed': {
          /** A payment failed */
          subject: string
          /** We could not collect the payment. Please check your card here: … */
          text: string
        }
        'payment-reminder': {
          /** The payment is still open */
          subject: string
          /** We tried again, and it failed. Please check your card here: … */
          text: string
        }
        'payment-last-reminder': {
          /** The last reminder of your payment */
          subject: string
          /** If nothing is paid by the end of the week, your account is closed. Pay here: … */
          text: string
        }
      }
      /** The mail {id} is not written yet. */
      missing: (id: string | number) => string
      /** Write this mail here */
      title: string
      /** It becomes a template, in plain text with the name and the unsubscribe link of your workspace below. Its looks can be changed there at any time. */
      how: string
      /** Subject */
      subject: string
      /** Text */
      text: string
      /** An empty line begins a paragraph. '{{contact.firstName|friend}}' is the first name, or what stands behind the line. */
      textHow: string
      /** Make the mail */
      write: string
      /** The mail is there. */
      written: string
      /** There is still an … in it, where you should say something of your own. */
      unfinished: string
    }>
    people: MessagesOf<{
      reasons: {
        /** is in it already */
        already_in: string
        /** was in it, and it is once for each */
        was_in: string
        /** was in it too short a time ago */
        too_soon: string
        /** is in too many sequences */
        too_many_runs: string
        /** is no contact */
        unknown_contact: string
        /** reached the goal */
        goal: string
        /** by hand */
        by_hand: string
        /** the sequence was stopped */
        stopped: string
        /** is on the suppression list */
        suppressed: string
        /** the contact was erased */
        erased: string
        /** taken out with a new version */
        moved_out: string
        /** went round too often */
        too_many_steps: string
        /** the daily limit is reached */
        daily_cap: string
        /** their quiet hours */
        quiet_hours: string
        /** the step is no longer there */
        step_gone: string
        /** was not on the list */
        not_on_list: string
        /** the list is gone */
        list_gone: string
        /** the list asks for a confirmation */
        double_opt_in: string
        /** there was nothing to set */
        nothing_to_set: string
        /** the mail server did not answer */
        no_final_reply: string
      }
      /** the event {name} came */
      byEvent: (name: string | number) => string
      /** about {n, plural, one {# event} other {# events}} */
      told: (n: number) => string
      /** tests variant {variant} */
      tests: (variant: string | number) => string
      /** gets variant {variant} */
      gets: (variant: string | number) => string
      /** Gathered */
      gathered: string
      /** {n, plural, one {# event} other {# events}} */
      events: (n: number) => string
      bySignal: {
        /** joined a list */
        'list.joined': string
        /** left a list */
        'list.left': string
        /** came into a segment */
        'segment.joined': string
        /** left a segment */
        'segment.left': string
        /** a property changed */
        property: string
        /** opened a link of a mail */
        'mail.clicked': string
        /** a mail came back */
        'mail.bounced': string
      }
      /** People in this sequence, the last begun first */
      caption: string
      /** State */
      state: string
      /** all */
      anyState: string
      /** Step */
      step: string
      /** any step */
      anyStep: string
      /** Address */
      address: string
      /** Version */
      version: string
      /** Goes on */
      goesOn: string
      /** Began */
      began: string
      /** Why */
      reason: string
      /** deleted contact */
      erased: string
      /** Nobody is there. */
      emptyFiltered: string
      /** Nobody has been in it yet. */
      empty: string
      /** Put people in */
      putIn: string
      /** Each person begins as the sequence allows: see how often under Who begins. */
      putInHow: string
      /** People can be put in once it is published. */
      onlyPublished: string
      /** Addresses of contacts, one a line */
      addresses: string
      /** See who would begin */
      look: string
      /** {n, plural, one {# person} other {# people}} would begin. */
      wouldBegin: (n: number) => string
      /** Of the first {looked, number}, {n, number} would begin. */
      ofFirst: (values: { looked: number; n: number }) => string
      /** {n, plural, one {# person} other {# people}} began. */
      begun: (n: number) => string
      /** These would not: */
      notBegin: string
      /** Put {n, plural, one {# person} other {# people}} in */
      putInNow: (n: number) => string
      /** Everybody of a segment */
      segment: string
      /** Put them in */
      segmentPut: string
      /** Put everybody of {name} in */
      segmentTitle: (name: string | number) => string
      /** {n, plural, one {# contact is} other {# contacts are}} in it now. They begin in the background, as far as the sequence allows. */
      segmentHow: (n: number) => string
      /** Segments that were put in */
      enrolments: string
      /** Segment */
      segmentName: string
      /** Began */
      started: string
      /** Did not */
      skippedPeople: string
      /** Progress */
      progress: string
      /** goes on */
      going: string
      /** done */
      finished: string
      /** Since */
      since: string
      /** About it */
      facts: string
      /** Contact */
      contact: string
      /** Apart by */
      key: string
      /** Begun by */
      event: string
      /** the event */
      theEvent: string
      /** Its mail */
      mail: string
      /** the mail */
      theMail: string
      /** Ended */
      ended: string
      /** The way so far */
      path: string
      /** No step is over yet. */
      noPath: string
      /** No. */
      number: string
      /** What it did */
      did: string
      /** When */
      when: string
      outcomes: {
        /** sent */
        sent: string
        /** waited */
        waited: string
        /** left out */
        skipped: string
        /** the event came */
        came: string
        /** the event did not come in time */
        did_not_come: string
        /** no branch fitted */
        no_branch: string
        /** nothing had come */
        nothing_gathered: string
        /** done */
        done: string
        /** did not work */
        failed: string
      }
      why: {
        /** They reached the goal. */
        goal: string
        /** They came to the end. */
        completed: string
        /** They left at the step {step}: {because}. */
        exited: (values: { step: string | number; because: string | number }) => string
        /** They stay at the step {step}, which cannot be done: {because}. Retry it, or skip it. */
        failed: (values: { step: string | number; because: string | number }) => string
        /** The mail of the step {step} was handed over, and no answer came ({because}). Say at its job whether it arrived, or skip the step. */
        uncertain: (values: { step: string | number; because: string | number }) => string
        /** Their mail is on its way at the step {step}. */
        sending: (step: string | number) => string
        /** Their mail waits at the step {step}, because the sequence is paused. */
        sendingPaused: (step: string | number) => string
        /** The mail of the step {step} is put off: {because}. */
        putOff: (values: { step: string | number; because: string | number }) => string
        /** The mail of the step {step} is put off until {at}: {because}. */
        putOffUntil: (values: { step: string | number; at: string | number; because: string | number }) => string
        /** They wait at the step {step}. */
        waiting: (step: string | number) => string
        /** They wait at the step {step} until {at}. */
        waitingUntil: (values: { step: string | number; at: string | number }) => string
        /** They wait at the step {step}, because the sequence is paused. */
        waitingPaused: (step: string | number) => string
      }
      /** took branch {n} */
      tookBranch: (n: string | number) => string
      /** Take out */
      exit: string
      /** Take this person out */
      exitTitle: string
      /** They leave at once; a mail that is not handed over yet is not sent. */
      exitHow: string
      /** Leave this step out */
      skip: string
      /** Go on without this step */
      skipTitle: string
      /** What it waits for, or its mail, is left out for this person. */
      skipHow: string
      /** Try again */
      retry: string
      /** It is tried again. */
      retried: string
    }>
    stepTest: MessagesOf<{
      /** Test variants of this mail (A/B) */
      tests: string
      /** What a variant leaves empty is that of the step. Whoever comes gets one of them until the winner stands; whoever comes later gets the winner. */
      how: string
      /** Name */
      name: string
      /** Template */
      template: string
      /** that of the step */
      ofStep: string
      texts: {
        /** Subject */
        subject: string
        /** Sender name */
        fromName: string
        /** Sender address */
        fromEmail: string
        /** Replies go to */
        replyTo: string
      }
      /** Add a variant */
      add: string
      /** Remove variant {name} */
      remove: (name: string | number) => string
      /** Take part, in percent; the others get the first variant */
      share: string
      /** Get no mail here, in percent */
      holdOut: string
      /** the mail of the step as it is */
      asItIs: string
      /** {name} was chosen at {at}; whoever comes now gets it. */
      chosen: (values: { name: string | number; at: string | number }) => string
      /** Go on with {name} */
      choose: (name: string | number) => string
      /** Whoever comes to this step from now on gets it. This cannot be undone. */
      chooseHow: string
    }>
  }
  settings: {
    audit: MessagesOf<{
      /** Who changed what, newest first */
      caption: string
      /** When */
      when: string
      /** Who */
      who: string
      /** What */
      what: string
      /** From */
      from: string
      /** Changed */
      changed: string
      actors: {
        /** a former member */
        person: string
        /** an API key */
        api_key: string
        /** a mailbox token */
        mailbox_token: string
        /** a connected program */
        oauth_grant: string
        /** a form */
        source: string
        /** the command line */
        operator: string
        /** the system */
        system: string
        /** a visitor */
        visitor: string
      }
      /** {n} times in this hour */
      times: (n: string | number) => string
      /** and {n} more */
      more: (n: string | number) => string
      /** made */
      made: string
      /** removed */
      gone: string
      filters: {
        /** What */
        operation: string
        /** Kind of thing */
        kind: string
        /** Its id */
        thing: string
        /** From */
        since: string
        /** Before */
        until: string
      }
      hints: {
        /** updateWorkspace */
        operation: string
        /** api_key */
        kind: string
        /** key_… */
        thing: string
      }
      /** Show */
      filter: string
      /** Everything */
      all: string
      /** Nothing was changed yet. */
      empty: string
      /** No such change. */
      emptyFiltered: string
      /** Save as CSV */
      asCsv: string
      /** Save as NDJSON */
      asJson: string
    }>
    general: MessagesOf<{
      /** Settings */
      title: string
      tabs: {
        /** Brand */
        brand: string
        /** People */
        people: string
        /** Sign-in */
        signIn: string
        /** API keys */
        keys: string
        /** Audit log */
        audit: string
        /** Installation */
        installation: string
        /** Mail providers */
        providers: string
        /** Workspaces */
        workspaces: string
      }
      /** Only for owners. */
      forOwners: string
      /** Who mail is from */
      who: string
      /** A mail of yours */
      preview: string
      /** As it would be sent, with your unsaved input. */
      previewHow: string
      /** Name of the workspace */
      name: string
      brand: {
        /** Company */
        companyName: string
        /** Postal address */
        companyAddress: string
        /** Name of the sender */
        senderName: string
        /** Address for questions */
        supportEmail: string
        /** Website */
        website: string
        /** Address of the logo */
        logoUrl: string
        /** Colour of buttons and links */
        primaryColor: string
      }
      /** At the foot of mails; campaigns need it by law. */
      addressHow: string
      /** First language */
      primaryLocale: string
      /** Time zone */
      timeZone: string
      /** Also of people whose own is not known. */
      timeZoneHow: string
      /** Quiet hours */
      quietHours: string
      /** Between these times, in their own time zone, people get no campaign mail; it waits until the quiet hours end. Leave both empty to send at any time. */
      quietHoursHow: string
      /** Quiet from */
      quietFrom: string
      /** Until */
      quietTo: string
      /** Set quiet hours */
      setQuietHours: string
      /** Saved. Whoever waits already, waits until then. */
      quietHoursSaved: string
      /** What may be attached */
      attachmentTypes: string
      /** Content types, one per line. PDF, PNG, JPEG, text and CSV are always allowed, programs never. Only owners can change this. */
      attachmentTypesHow: string
      /** How many files a mail may have */
      maxAttachments: string
      /** Embedded pictures count. Only owners can change this. */
      maxAttachmentsHow: string
      /** Save */
      save: string
      /** Saved. It is used for mail from now on. */
      saved: string
      sample: {
        /** Your order is on its way */
        subject: string
        /** Hello Ada, we have handed your parcel over. Questions? Write to '{{support_email|us}}'. */
        text: string
        /** Follow the parcel */
        button: string
      }
      /** Members */
      members: string
      /** Person */
      person: string
      /** Role */
      role: string
      /** Role of {email} */
      roleOf: (email: string | number) => string
      roles: {
        /** Viewer */
        viewer: string
        /** Member */
        member: string
        /** Owner */
        owner: string
      }
      /** Viewers read, members change everything except people, owners also decide about people. */
      roleHow: string
      /** {email} is now: {role}. */
      roleChanged: (values: { email: string | number; role: string | number }) => string
      /** Address proved */
      proven: string
      /** Joined */
      since: string
      /** you */
      you: string
      /** yes */
      yes: string
      /** not yet */
      notYet: string
      /** Action */
      action: string
      /** The only owner stays */
      lastOwner: string
      /** Leave */
      leave: string
      /** Remove */
      takeOut: string
      /** Remove {email}? */
      takeOutTitle: (email: string | number) => string
      /** From the next request on. Their account, and their places in other workspaces, stay. */
      takeOutHow: string
      /** {email} is no longer a member. */
      takenOut: (email: string | number) => string
      /** Give the lesser role */
      demote: string
      /** {email}: {role}? */
      demoteTitle: (values: { email: string | number; role: string | number }) => string
      /** From the next request on. */
      demoteHow: string
      /** They have created no keys, tokens or addresses that still work. */
      nothingPassedOn: string
      /** These stop working, because they created them: */
      endsToo: string
      /** These continue to work, and depend on your rights from now on: */
      goesOn: string
      /** Keep them working, with my rights */
      keep: string
      grants: {
        /** API key */
        api_key: string
        /** Invitation */
        invitation: string
        /** Mailbox token */
        mailbox_token: string
        /** Connected program */
        oauth_grant: string
        /** Address for incoming mail of */
        inbound_address: string
        /** Webhook endpoint */
        webhook_endpoint: string
        /** Subscription source */
        subscription_source: string
        /** Address for reports of */
        provider_hook: string
        /** Signing secret of payments */
        payment_secret: string
      }
      /** Invitations */
      invitations: string
      /** Invite */
      invite: string
      /** The invitation is made. Its link is shown this once. */
      invited: string
      /** E-mail address */
      email: string
      /** The link for {email}. */
      linkFor: (email: string | number) => string
      /** It works once, within seven days, and is shown only now. */
      linkOnce: string
      /** Another link was sent by mail. */
      mailed: string
      /** Nobody is invited at the moment. */
      noneInvited: string
      /** Open until */
      until: string
      /** Withdraw */
      withdraw: string
      /** The link does not work any more. */
      withdrawn: string
    }>
    installation: MessagesOf<{
      /** Only owners of the first workspace see what concerns the machine. The following is done on the server itself. */
      how: string
      /** Version and backups */
      about: string
      /** Version */
      version: string
      /** Last backup that was checked */
      last: string
      /** Its file */
      where: string
      /** none yet */
      none: string
      /** Backup schedule (cron, UTC) */
      each: string
      /** no: BACKUP_TO is unset */
      byHand: string
      /** Sending */
      sending: string
      /** on */
      sends: string
      /** held since */
      isHeld: string
      /** Nothing about the installation needs attention. */
      well: string
      /** Take a backup */
      backup: string
      /** It is restored to a temporary place and checked at once; otherwise it does not count. With BACKUP_TO the server does it each night. */
      backupHow: string
      /** Check one again */
      verify: string
      /** Every row, every invariant, without touching what runs. */
      verifyHow: string
      /** Resume after a restore or a move */
      resume: string
      /** A database that was restored, copied or moved sends nothing by itself. This shows what waits, and how to resume. */
      resumeHow: string
      /** What waits here */
      waiting: string
      /** Mails of this workspace. On their pages, cancel those that were sent already; then paquebot resume releases the rest. */
      waitingHow: string
      /** No mail of this workspace waits. */
      noneWaits: string
      /** Subject */
      subject: string
      /** To */
      to: string
      /** Due */
      due: string
      /** Sent already? */
      left: string
      /** may have left */
      mayHaveLeft: string
      /** not yet */
      hasNotLeft: string
      /** Check the whole installation */
      doctor: string
      /** Database, mail server, DNS, and who may read the files. */
      doctorHow: string
    }>
    key: MessagesOf<{
      /** Programs need a key. Give each its own, with no more rights than it needs. A key never has more rights than the person who created it. */
      how: string
      /** No key yet. A program that sends mail or events needs one. */
      empty: string
      /** Name */
      name: string
      /** Shop */
      nameExample: string
      /** Begins with */
      begins: string
      /** May */
      may: string
      /** Made */
      made: string
      /** By */
      madeBy: string
      /** Last used */
      lastUsed: string
      /** never */
      never: string
      /** Revoke */
      revoke: string
      /** Revoke “{name}”? */
      revokeTitle: (name: string | number) => string
      /** Whatever uses it is refused from now on. It cannot be undone. */
      revokeHow: string
      /** {name} is revoked. */
      revoked: (name: string | number) => string
      /** New key */
      new: string
      reaches: {
        /** everything */
        full: string
        /** send mail */
        send: string
        /** what I choose */
        chosen: string
      }
      /** Scopes */
      scopes: string
      /** For tests: mail sent with it is not delivered */
      forTests: string
      /** test */
      test: string
      /** Kind */
      kind: string
      /** real */
      real: string
      /** Make the key */
      create: string
      /** The key is made. It is shown this once. */
      madeIt: string
      /** The key. */
      secret: string
      /** It is shown only now. Keep it where your program finds it. */
      secretHow: string
      /** This says whether it works: */
      check: string
    }>
    signIn: MessagesOf<{
      /** Where you are signed in */
      sessions: string
      /** Browser */
      browser: string
      /** From */
      from: string
      /** By */
      by: string
      ways: {
        /** password */
        password: string
        /** passkey */
        passkey: string
        /** single sign-on */
        oidc: string
        /** link */
        link: string
        /** invitation */
        invitation: string
        /** set-up */
        set_up: string
      }
      /** Began */
      began: string
      /** Last used */
      lastSeen: string
      /** not known */
      unknown: string
      /** this one */
      thisOne: string
      /** End */
      end: string
      /** That session has ended. */
      ended: string
      /** End all others */
      endOthers: string
      /** All your other sessions have ended. */
      othersEnded: string
      /** Password */
      password: string
      /** A new one ends all your other sessions. */
      passwordHow: string
      /** Present password */
      current: string
      /** New password */
      new: string
      /** Change it */
      changePassword: string
      /** The password is changed; other sessions have ended. */
      passwordChanged: string
      /** A code beside the password */
      factor: string
      /** Whoever knows your password then needs your authenticator app, too. */
      factorHow: string
      /** On since {since}. */
      factorOn: (since: string | number) => string
      /** Recovery codes left: {n}. */
      codesLeft: (n: string | number) => string
      /** Turn it on */
      turnOn: string
      /** Turn it off */
      turnOff: string
      /** Signing in with your password asks for a code from now on. */
      turnedOn: string
      /** Signing in asks for no code any more. */
      turnedOff: string
      /** Your password */
      ownPassword: string
      /** Empty if you have none. */
      ownPasswordHow: string
      /** Scan this with the app, or type the secret into it. It is shown this once. */
      scan: string
      /** The secret as a QR code; it stands below as text, too */
      qr: string
      /** Confirm */
      confirm: string
      /** Code of the app */
      code: string
      /** Code of the app, or a recovery code */
      codeOrRecovery: string
      /** Recovery codes. */
      recovery: string
      /** Each works once in place of a code, for when the app is lost. They are shown only now. */
      recoveryHow: string
      /** Passkeys */
      passkeys: string
      /** They sign you in without password and code: the device asks for a finger, a face or its PIN. */
      passkeysHow: string
      /** Add, name and remove passkeys */
      passkeysGo: string
      /** not used yet */
      notUsed: string
    }>
    brand: MessagesOf<{
      /** The look */
      title: string
      /** Templates follow it by themselves, also those that exist, but for what they say otherwise. */
      how: string
      /** Begin with */
      begin: string
      presets: {
        /** Harbour */
        harbour: string
        /** Forest */
        forest: string
        /** Clay */
        clay: string
        /** Berry */
        berry: string
        /** Sea */
        sea: string
        /** Ink */
        ink: string
        /** Letter */
        letter: string
        /** Night */
        night: string
      }
      /** Take it from a picture… */
      fromPicture: string
      /** Take it from the logo */
      fromLogo: string
      /** It is looked at in this browser and goes nowhere. */
      fromPictureHow: string
      /** In the picture */
      found: string
      /** Use {colour} */
      use: (colour: string | number) => string
      /** There is nothing but white in this picture. */
      noColours: string
      /** This file is no picture that the browser can read. */
      noPicture: string
      /** This file is too large: at most 10 MB. */
      tooLarge: string
      /** {from} became {to}: white letters on it had only {had} : 1, and 4.5 : 1 are needed to read them. */
      darkened: (values: { from: string | number; to: string | number; had: string | number }) => string
      /** White letters on {colour} have only {has} : 1; 4.5 : 1 are needed to read them. */
      faint: (values: { colour: string | number; has: string | number }) => string
      /** The footer could not be read on {colour}: a page is nearly white, or very dark. */
      notGround: (colour: string | number) => string
      /** Use {colour} instead */
      useInstead: (colour: string | number) => string
      /** Background of the page */
      backgroundColor: string
      /** Pick: {label} */
      pick: (label: string | number) => string
      /** Typeface */
      fontFamily: string
      fonts: {
        /** That of the device */
        system: string
        /** Arial */
        arial: string
        /** Verdana */
        verdana: string
        /** Trebuchet */
        trebuchet: string
        /** Georgia (serif) */
        georgia: string
        /** Palatino (serif) */
        palatino: string
        /** Courier (typewriter) */
        courier: string
      }
      /** Round corners, in pixels (0 to 32) */
      borderRadius: string
      /** Address of the logo for dark mode */
      darkLogoUrl: string
      /** Templates with a look of their own */
      own: string
      /** Colours and logos that a template says itself do not follow the brand. Nothing is changed before you say so. */
      ownHow: string
      /** Look for them */
      look: string
      /** All templates follow the brand. */
      none: string
      /** follows the brand instead of */
      instead: string
      /** Let it follow the brand */
      follow: string
      /** Let all of them follow the brand */
      followAll: string
      /** follows the brand now */
      followed: string
      /** These are HTML or MJML, and keep the look that stands in it: */
      sources: string
      /** Parcel 4711, at your door on Thursday. */
      panel: string
    }>
    providerNames: MessagesOf<{
      /** Amazon SES */
      ses: string
      /** Postmark */
      postmark: string
      /** Mailgun */
      mailgun: string
      /** SendGrid */
      sendgrid: string
      /** Brevo */
      brevo: string
      /** Mailjet */
      mailjet: string
      /** SparkPost */
      sparkpost: string
      /** Resend */
      resend: string
      /** Another one, in our form */
      generic: string
    }>
    providers: MessagesOf<{
      /** A mail provider that takes your mail reports bounces and complaints to an address of its own. Whoever bounced or complained is not mailed again. */
      how: string
      /** Only for people who may change things. */
      forMembers: string
      /** No provider reports here. Bounces that come by mail are read without one. */
      empty: string
      /** Provider */
      provider: string
      /** Topic */
      topic: string
      /** To do */
      toDo: string
      /** Confirm the subscription at Amazon */
      confirm: string
      /** Made */
      made: string
      /** Let a provider report here */
      add: string
      /** Make its address */
      create: string
      /** The address is made; one that it had before no longer works. */
      madeIt: string
      /** Enter this address at the provider. */
      address: string
      /** It is shown only now: whoever knows it may report. */
      addressHow: string
      /** What its reports are checked with */
      verifyWith: string
      /** ARN of the SNS topic */
      topicArn: string
      keys: {
        /** The certificate of SNS (PEM). */
        ses: string
        /** The signing key of its webhooks. */
        mailgun: string
        /** The public key of the signed event webhook. */
        sendgrid: string
        /** Its signing secret, whsec_… */
        resend: string
        /** A secret of yours: whsec_ and 24 to 64 bytes in base64. */
        generic: string
      }
    }>
    workspaces: MessagesOf<{
      /** Each workspace is a tenant: its people, keys, contacts and mail are its own. Here they are made, limited, suspended and resumed. Days and months are those of UTC. */
      how: string
      /** Make a workspace */
      create: string
      /** All workspaces */
      all: string
      /** In the short name */
      search: string
      /** No workspace has that in its short name. */
      noneFound: string
      /** State */
      state: string
      /** open */
      open: string
      /** suspended */
      suspended: string
      /** Short name */
      slug: string
      /** In addresses and commands: a-z, 0-9, _ and -. It stays. */
      slugHow: string
      /** Name */
      name: string
      /** Made */
      made: string
      /** Make it */
      save: string
      /** What its plan allows */
      limits: string
      limitNames: {
        /** Mails a day */
        mailsPerDay: string
        /** Mails a month */
        mailsPerMonth: string
        /** Mails a second */
        mailsPerSecond: string
        /** Contacts */
        contacts: string
      }
      /** Empty: no limit. Mail beyond a limit is refused, or waits; new contacts are refused. */
      limitsHow: string
      /** Used */
      used: string
      usedNames: {
        /** Mails this month */
        mailsPerMonth: string
        /** Mails today */
        mailsPerDay: string
        /** Contacts */
        contacts: string
      }
      /** {used} of {most} */
      ofMost: (values: { used: string | number; most: string | number }) => string
      /** Mails by day */
      byDay: string
      /** Accepted */
      accepted: string
      /** Sent */
      sent: string
      /** Bounced */
      bounced: string
      /** Complaints */
      complained: string
      /** Limits that were met */
      met: string
      /** This is the first workspace, whose owners keep the installation: it cannot be suspended. */
      first: string
      /** Suspend */
      suspend: string
      /** Suspend this workspace? */
      suspendTitle: string
      /** From now on none of its mail leaves; its keys, forms and agents are refused. Its people can still sign in and read, and recipients can unsubscribe. */
      suspendHow: string
      /** Reason */
      reason: string
      /** Its people, and programs that are refused, read it. */
      reasonHow: string
      /** The workspace is suspended. */
      isSuspended: string
      /** Resume */
      resume: string
      /** The workspace is open again; what waited goes on within a minute. */
      isResumed: string
      /** First key */
      firstKey: string
      /** For a workspace that has no key yet; its owners make further ones. */
      firstKeyHow: string
      /** Make the first key */
      makeKey: string
      /** First key */
      keyName: string
      /** The key is made. */
      keyMade: string
      /** The key is shown only this once. */
      keySecret: string
      /** Hand it on, or store it safely. */
      keySecretHow: string
      /** Name and limits */
      change: string
      /** Save */
      saveChange: string
      /** Saved. Campaigns that wait for a limit look again at once, other mail within an hour. */
      saved: string
      /** What came in, by day */
      cameIn: string
      /** Events */
      events: string
      /** New contacts */
      contactsMade: string
      /** Data of the last 31 days */
      bytes: string
      /** Pictures */
      mediaBytes: string
      /** Received mail */
      receivedBytes: string
      /** Sent mail */
      sentBytes: string
      /** Export */
      exported: string
      /** Everything of this workspace in one encrypted file, made in the background and kept for a day. */
      exportHow: string
      /** Export */
      exportIt: string
      /** The export is being made. */
      exportWaits: string
      /** The export failed. */
      exportFailed: string
      /** A copy to read */
      exportCopy: string
      /** kept until */
      keptUntil: string
      /** Download */
      exportDownload: string
      /** It moves to */
      movesTo: string
      /** The address of the other installation; from then on its links lead there, and it cannot be resumed here. Empty: a copy to read. */
      movesToHow: string
    }>
  }
  suppressions: {
    suppressions: MessagesOf<{
      /** Suppressions */
      title: string
      /** Addresses that are not mailed */
      caption: string
      /** Address */
      search: string
      /** Address */
      address: string
      /** Reason */
      reason: string
      /** Detail */
      detail: string
      /** Since */
      since: string
      /** Action */
      action: string
      /** Take off the list */
      takeOff: string
      /** Add an address */
      add: string
      /** Add */
      addIt: string
      /** {email} is not mailed any more. */
      added: (email: string | number) => string
      /** {email} may be mailed again. */
      takenOff: (email: string | number) => string
      /** somebody who was erased */
      erased: string
      /** No such address is on the list. */
      emptyFiltered: string
      /** Nobody. Hard bounces, complaints and addresses you add appear here. */
      empty: string
      /** Add many addresses */
      many: string
      /** Addresses, one in a line; at most 10,000 */
      manyHow: string
      /** Added: {added, plural, one {# address} other {# addresses}}. Already there: {unchanged, plural, one {# address} other {# addresses}}. */
      addedMany: (values: { added: number; unchanged: number }) => string
    }>
  }
  templates: {
    code: MessagesOf<{
      /** Find */
      find: string
      /** Replace */
      replaceWith: string
      /** next */
      next: string
      /** previous */
      previous: string
      /** all */
      all: string
      /** match case */
      matchCase: string
      /** regular expression */
      regexp: string
      /** whole words */
      byWord: string
      /** replace */
      replace: string
      /** replace all */
      replaceAll: string
      /** close */
      close: string
      /** current match */
      currentMatch: string
      /** on line */
      onLine: string
      /** No findings */
      noFindings: string
      /** Findings */
      findings: string
      /** Go to line */
      goToLine: string
      /** go */
      go: string
    }>
    editor: MessagesOf<{
      /** All templates */
      all: string
      /** Subject */
      subject: string
      /** Preview text, behind the subject in lists of mails */
      previewText: string
      /** Outline */
      outline: string
      /** It is empty. Press / to add the first component. */
      empty: string
      /** Add a component */
      add: string
      /** What to add: heading, text, button … */
      addHint: string
      /** There is no such component. */
      addNothing: string
      /** Remove */
      remove: string
      /** Undo */
      undo: string
      /** Redo */
      doAgain: string
      /** Save */
      save: string
      /** Saved. */
      saved: string
      /** Publish */
      publish: string
      /** It may be sent now. */
      published: string
      /** Nobody can send it before it is published. */
      draftHow: string
      /** Make it a draft again */
      unpublish: string
      /** Programs, rules and campaigns cannot send it until it is published again. */
      unpublishHow: string
      /** It is a draft. */
      unpublished: string
      /** Bold */
      bold: string
      /** Italic */
      italic: string
      /** Link */
      link: string
      /** is missing */
      isMissing: string
      /** Not saved yet: it is kept in this browser until this is fixed. */
      notSaved: string
      /** kept in this browser, not saved */
      unsaved: string
      /** saved */
      allSaved: string
      /** More */
      more: string
      /** yes */
      yes: string
      /** no */
      no: string
      /** (default) */
      byDefault: string
      /** Edit the block */
      editBlock: string
      /** One on each line; a row of a table as JSON: ["Tea", "3 €"] */
      entries: string
      /** {name}: pick */
      pick: (name: string | number) => string
      /** {n} ! */
      findingsAt: (n: string | number) => string
      /** Choose a component in the outline or in the mail. */
      choose: string
      /** Arrows choose, Shift with arrows marks several, Alt with arrows move, Tab takes in, Shift-Tab out, Enter edits, F2 edits in the mail, Delete removes; Ctrl with C, X, V and D copies, cuts, pastes and duplicates; after Escape, Tab leaves the outline. */
      keys: string
      /** Copy */
      copy: string
      /** Copied: {n} */
      copied: (n: string | number) => string
      /** Duplicate */
      duplicate: string
      /** Paste */
      paste: string
      /** Pasted: {n} */
      pasted: (n: string | number) => string
      /** {n, plural, one {# component is} other {# components are}} marked. */
      marked: (n: number) => string
      /** This is too large to be pasted: at most 500 components. */
      pasteLarge: string
      /** The clipboard is not JSON, so no components can be pasted from it. */
      pasteNoJson: string
      /** The clipboard is an empty list. */
      pasteNothing: string
      /** {place} is not a component: it needs a type. */
      pasteNoComponent: (place: string | number) => string
      /** {place}: there is no component “{type}”. */
      pasteUnknown: (values: { place: string | number; type: string | number }) => string
      /** {place}: a {type} has no such property. */
      pasteProperty: (values: { place: string | number; type: string | number }) => string
      /** {place} has a value of the wrong kind. */
      pasteValue: (place: string | number) => string
      /** This is not allowed here. */
      pasteNotHere: string
      /** The browser does not let the page read what was copied; press Ctrl-V in the outline. */
      pasteForbidden: string
      /** Up */
      moveUp: string
      /** Down */
      moveDown: string
      /** Language */
      language: string
      /** Another language… */
      addLanguage: string
      /** Tag of the language, like de or pt-BR */
      languageTag: string
      /** Begin */
      begin: string
      /** There is no content in {locale}: its readers get {other}. This is a copy of that; saving it adds {locale}. */
      fallback: (values: { locale: string | number; other: string | number }) => string
      /** Somebody else has saved this meanwhile. */
      conflict: string
      /** Only in their version */
      onlyTheirs: string
      /** Only in your version */
      onlyMine: string
      /** Use their version (undo restores yours) */
      takeTheirs: string
      /** Replace it with your version */
      keepMine: string
      /** The mail as it would be sent */
      preview: string
      /** This cannot be shown yet */
      notShown: string
      /** {kb} KB of HTML; Gmail clips at 102 KB */
      size: (kb: string | number) => string
      /** In lists of mails */
      inbox: string
      /** Gmail */
      gmail_desktop: string
      /** Gmail on a phone */
      gmail_phone: string
      /** Mail on an iPhone */
      apple_mail_phone: string
      /** What to look at */
      findings: string
      /** Nothing is wrong with it. */
      noFindings: string
      /** error */
      error: string
      /** warning */
      warning: string
      /** note */
      info: string
      /** Links */
      links: string
      /** leads nowhere */
      nowhere: string
      /** What some clients do not support */
      gaps: string
      /** Revisions */
      revisions: string
    }>
    general: MessagesOf<{
      /** Templates */
      title: string
      /** Templates */
      caption: string
      /** A part of the name or of the id */
      search: string
      /** Status */
      status: string
      /** all */
      all: string
      /** active */
      active: string
      /** draft */
      draft: string
      /** archived */
      archived: string
      /** Name */
      name: string
      /** Subject */
      subject: string
      /** Languages */
      locales: string
      /** Id */
      id: string
      /** Changed */
      since: string
      /** No template yet. Take a finished mail below, or give an empty one a name and write it. */
      empty: string
      /** No such template. */
      emptyFiltered: string
      /** A new template, by its name */
      add: string
      /** New template */
      addIt: string
      /** Start from a finished mail */
      start: string
      /** Blocks: what stands in several of them */
      blocks: string
    }>
    inMail: MessagesOf<{
      /** Text: {type} */
      textOf: (type: string | number) => string
      /** Escape ends, Tab goes to the next text, Alt+F10 to the tools. */
      help: string
      /** Tools for the text */
      tools: string
      /** Bold */
      bold: string
      /** Italic */
      italic: string
      /** Link */
      link: string
      /** Address of the link */
      address: string
      /** Set the link */
      setLink: string
      /** Remove the link */
      noLink: string
      /** Variable… */
      variable: string
      /** Of this mail */
      ofMail: string
      /** Of the contact */
      ofContact: string
      /** Of the workspace and the mail */
      ofOthers: string
      /** Level */
      level: string
      /** Numbered */
      ordered: string
      /** Its markdown is shown as it is written. */
      asItIs: string
      /** Drag */
      drag: string
      /** Components, to be dragged into the mail */
      palette: string
    }>
    properties: MessagesOf<{
      /** Address */
      address: string
      /** Align */
      align: string
      /** Description */
      alt: string
      /** Name of the entry */
      as: string
      /** Background color */
      backgroundColor: string
      /** Block */
      blockId: string
      /** Border color */
      borderColor: string
      /** Border radius */
      borderRadius: string
      /** Border width */
      borderWidth: string
      /** Cell align */
      cellAlign: string
      /** Color */
      color: string
      /** Columns */
      columns: string
      /** Widths of the columns */
      columnWidths: string
      /** Company name */
      companyName: string
      /** Dark logo url */
      darkLogoUrl: string
      /** Divider */
      divider: string
      /** Font size */
      fontSize: string
      /** Format */
      format: string
      /** Full width */
      fullWidth: string
      /** Head */
      head: string
      /** Height */
      height: string
      /** Link */
      href: string
      /** Items */
      items: string
      /** Variable of the list */
      itemsVariable: string
      /** Level */
      level: string
      /** Line height */
      lineHeight: string
      /** Logo alt */
      logoAlt: string
      /** Logo url */
      logoUrl: string
      /** Do not count clicks */
      notrack: string
      /** Comparison */
      operator: string
      /** Ordered */
      ordered: string
      /** Padding */
      padding: string
      /** Padding bottom */
      paddingBottom: string
      /** Padding left */
      paddingLeft: string
      /** Padding right */
      paddingRight: string
      /** Padding top */
      paddingTop: string
      /** Padding x */
      paddingX: string
      /** Padding y */
      paddingY: string
      /** Show unsubscribe */
      showUnsubscribe: string
      /** Address of the picture */
      src: string
      /** Start */
      start: string
      /** Text */
      text: string
      /** Text color */
      textColor: string
      /** Totals */
      totals: string
      /** Underline */
      underline: string
      /** Value */
      value: string
      /** Variable */
      variable: string
      /** Width */
      width: string
    }>
    source: MessagesOf<{
      /** HTML or MJML… */
      bring: string
      /** A mail that exists as HTML or MJML */
      title: string
      /** Paste it, or choose its file. It keeps its look: it is read and written anew without what a mail may not contain, such as scripts and forms. */
      how: string
      /** Source */
      source: string
      /** From a file */
      file: string
      /** Its placeholders are those of */
      dialect: string
      /** Paquebot: '{{contact.firstName}}' */
      ours: string
      /** Look at it */
      read: string
      /** Use it */
      use: string
      /** It becomes components, which you can edit here one by one. */
      asTree: string
      /** It stays a source, which you can edit beside the mail. */
      asSource: string
      /** Nothing is left out. */
      nothingLeftOut: string
      /** Left out */
      leftOut: string
      /** It takes the place of what is there; undo brings that back. */
      replaces: string
      /** Source ({kind}) */
      sourceOf: (kind: string | number) => string
      /** Do not add our footer: refuse a campaign in which it shows no unsubscribe link */
      ownFooter: string
      /** A click in the mail shows its place here; the place you are at is framed in the mail. Tab indents; after Escape it leaves the field. */
      places: string
    }>
    types: MessagesOf<{
      /** Box */
      container: string
      /** Section */
      section: string
      /** Header */
      header: string
      /** Footer */
      footer: string
      /** Heading */
      heading: string
      /** Text */
      text: string
      /** Button */
      button: string
      /** Link */
      link: string
      /** Picture */
      image: string
      /** List or table */
      list: string
      /** If */
      if: string
      /** For each */
      each: string
      /** Otherwise */
      else: string
      /** Block */
      block: string
    }>
    test: MessagesOf<{
      /** Test data */
      data: string
      /** It needs no test data. */
      dataNone: string
      /** as JSON */
      json: string
      /** required */
      required: string
      /** Fill with a contact */
      chooseContact: string
      /** Another contact */
      otherContact: string
      /** Nobody in particular */
      noContact: string
      /** Shown as it would be sent to */
      shownFor: string
      /** The mail says nothing of its reader. */
      contactUnused: string
      /** not known of them */
      contactLacks: string
      /** A part of the name or of the address */
      contactHint: string
      /** There is no such contact. */
      contactNothing: string
      /** Send a test to me */
      test: string
      /** The test is on its way. */
      tested: string
      /** Follow it in Activity */
      seeTest: string
      /** Test to others… */
      toOthers: string
      /** Addresses of members, one on each line or with commas between them; at most 10 */
      addresses: string
      /** They are remembered in this browser. */
      remembered: string
      /** Send the tests */
      sendAll: string
      /** What became of them */
      report: string
      /** on its way */
      queued: string
      /** not sent: the address is suppressed */
      suppressed: string
      /** Type at least one address. */
      noneTyped: string
      /** is no e-mail address */
      notAnAddress: string
      /** At most 10 addresses; these are {n, number}. */
      tooMany: (n: number) => string
    }>
    remove: MessagesOf<{
      /** Delete the template */
      remove: string
      /** Delete this template? */
      title: string
      /** Nothing can send it any more. Mail that was accepted is still sent, and mail that was sent keeps its words. */
      how: string
      /** The template is deleted. */
      removed: string
    }>
  }
  webhooks: {
    general: MessagesOf<{
      /** Webhooks */
      title: string
      /** Endpoints */
      caption: string
      /** All endpoints */
      all: string
      /** New endpoint */
      create: string
      /** Event types */
      catalogue: string
      /** The events an endpoint can receive, with an example of each. */
      catalogueHow: string
      /** No endpoint yet. Events are sent as signed requests to the addresses named here. */
      empty: string
      /** State */
      state: string
      /** Address */
      url: string
      /** Events */
      events: string
      /** everything */
      everything: string
      /** Last deliveries */
      health: string
      /** {delivered} of the last {of} delivered */
      healthIs: (values: { delivered: string | number; of: string | number }) => string
      /** none yet */
      noneYet: string
      /** {n, plural, one {# waits} other {# wait}} */
      waiting: (n: number) => string
      /** email.*, contact.created */
      eventsHint: string
      /** Names or groups, separated by commas; empty for all. */
      eventsHow: string
      /** Description */
      description: string
      /** Create and make a secret */
      save: string
      /** Signing secret. */
      secret: string
      /** It is shown this once. Keep it where your receiver finds it, as SIGNING_SECRET. */
      secretOnce: string
      /** To the endpoint */
      go: string
      /** Signed */
      signed: string
      /** yes */
      yes: string
      /** no: make a secret */
      notSigned: string
      /** At most */
      rate: string
      /** {n} a second */
      perSecond: (n: string | number) => string
      /** no limit */
      noLimit: string
      /** Failing since */
      failingSince: string
      /** Made by */
      madeBy: string
      /** About it */
      facts: string
      reasons: {
        /** Paused by hand. */
        manual: string
        /** Disabled: every delivery failed for five days. */
        failing: string
        /** Disabled: it answered 410 Gone. */
        gone: string
      }
      /** Pause */
      pause: string
      /** Enable */
      enable: string
      /** The endpoint is paused; events in the meantime are skipped. */
      paused: string
      /** The endpoint is enabled. */
      enabled: string
      /** Send a test */
      test: string
      /** It answered {status} in {ms} ms. */
      testDone: (values: { status: string | number; ms: string | number }) => string
      /** It failed: {why}. */
      testFailed: (why: string | number) => string
      /** New secret */
      rotate: string
      /** Make a new signing secret? */
      rotateTitle: string
      /** The previous secret also signs for 24 hours, so that the receiver can switch. */
      rotateHow: string
      /** Delete */
      remove: string
      /** Delete this endpoint? */
      removeTitle: string
      /** Waiting deliveries are dropped. Its log is deleted. */
      removeHow: string
      /** How to verify a request */
      verify: string
      /** Verify the raw bytes of the body. A request that does not verify is not from this server. */
      verifyHow: string
      /** Deliveries */
      deliveries: string
      /** all */
      anyState: string
      /** Event */
      type: string
      /** Attempts */
      attempts: string
      /** How long it took to answer (ms), the last 100 attempts */
      latency: string
      /** taken (ms) */
      takenMs: string
      /** not taken (ms) */
      notTakenMs: string
      /** Answer */
      answer: string
      /** When */
      when: string
      /** Nothing was delivered yet. Send a test, or wait for an event. */
      nothing: string
      /** No delivery is in this state. */
      nothingFiltered: string
      /** Replay… */
      replay: string
      /** Deliver again what failed or was skipped */
      replayTitle: string
      /** Since (your time; empty: from the beginning) */
      since: string
      /** {n, plural, one {# event} other {# events}} would be delivered again, each with its Webhook-Id. */
      wouldReplay: (n: number) => string
      /** Deliver again */
      replayIt: string
      /** {n, plural, one {# is} other {# are}} being delivered again. */
      replayed: (n: number) => string
      /** Counting */
      counting: string
      /** Request */
      request: string
      /** v1, and Base64 of HMAC-SHA256 over id.timestamp.body */
      signature: string
      /** none: the endpoint has no secret */
      unsigned: string
      /** Response */
      response: string
      /** no answer */
      noAnswer: string
      /** Attempt {n} */
      attempt: (n: string | number) => string
      /** {ms} ms */
      took: (ms: string | number) => string
      /** Next attempt at */
      next: string
      /** Due since */
      dueSince: string
      /** Deliver now */
      deliverNow: string
      /** It is tried next. */
      hurried: string
      /** Change it */
      change: string
      /** Save */
      saveChange: string
      /** Saved. */
      saved: string
      /** Maximum per second */
      rateField: string
      /** 1 to 1,000; empty for no limit. */
      rateHow: string
      /** To the endpoint */
      back: string
      /** End previous secrets */
      endOverlap: string
      /** Sign with the newest secret only? */
      endOverlapTitle: string
      /** Whoever still checks with an older one refuses everything from now on. */
      endOverlapHow: string
      /** {n, plural, =0 {There was no older one.} one {Ended: # older secret.} other {Ended: # older secrets.}} */
      overlapEnded: (n: number) => string
      /** None yet. */
      noAttempts: string
    }>
  }
  starters: {
    general: MessagesOf<{
      /** Start from a finished mail */
      title: string
      /** Each is shown with your brand. What you choose becomes a draft of your own, in English and German, with test data. */
      how: string
      /** What is it for? */
      search: string
      /** There is none for that. Try another word, or begin with an empty template. */
      nothing: string
      /** All templates */
      all: string
      /** for programs */
      transactional: string
      /** for campaigns */
      marketing: string
      /** Start with it */
      start: string
    }>
  }
  revisions: {
    general: MessagesOf<{
      /** Revisions */
      title: string
      /** Who wrote what when */
      says: string
      /** Revisions, newest first */
      caption: string
      /** Back */
      back: string
      /** All revisions */
      all: string
      /** Language */
      locale: string
      /** Written */
      when: string
      /** By */
      who: string
      /** before this was recorded */
      unknown: string
      /** Subject */
      subject: string
      /** State */
      state: string
      /** current */
      current: string
      /** earlier */
      earlier: string
      /** Nothing has been written yet. */
      empty: string
      /** Nothing has been written in this language. */
      emptyFiltered: string
      /** Revision ({locale}) of {at} */
      one: (values: { locale: string | number; at: string | number }) => string
      /** by {who} */
      by: (who: string | number) => string
      /** What it changed */
      changed: string
      /** It is the first one in this language. */
      isFirst: string
      /** The mail with what it says */
      asItWas: string
      /** Blocks are shown as they are now. */
      blocks: string
      /** Restore */
      restore: string
      /** Restore this revision? */
      restoreTitle: string
      /** Restored. */
      restored: string
      restoreHow: {
        /** What it says becomes the current content in this language. Nothing is lost: today’s stays in the list. */
        template: string
        /** What it says becomes the current content in this language, and the campaign becomes a draft again. */
        campaign: string
        /** What it held becomes the current content in this language, in all mails that use the block. */
        block: string
      }
    }>
  }
}
