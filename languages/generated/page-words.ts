// MessagesOf by `bun run languages`; change the words in languages/en/, not here.

export type PageWords = {
  confirmationMail: {
    /** Please confirm your subscription */
    subject: string
    /** One click, and you are on the list. */
    preview: string
    /** Confirm your subscription */
    heading: string
    /** Somebody, most likely you, asked to receive mail from '{{company_name}}' to this address: '{{list_names}}'. */
    ask: string
    /** Confirm subscription */
    button: string
    /** Or open this link: */
    open: string
    /** If it was not you, ignore this mail: without your click nothing will be sent. The link works for 7 days. */
    ignore: string
  }
  lists: {
    /** Subscribe */
    formTitle: string
    /** E-mail address */
    formEmail: string
    /** Subscribe */
    formSend: string
    /** Thank you */
    formSentTitle: string
    /** If this address is not on the list yet, it is now, or a mail is on its way that asks you to confirm. */
    formSentText: string
    /** Please press the button once more. */
    formAgain: string
    /** Please check the address. */
    formInvalid: string
    /** Confirm your subscription */
    confirmTitle: string
    /** You asked for mail from {company}: */
    confirmAsk: (company: string | number) => string
    /** Confirm subscription */
    confirm: string
    /** No thanks */
    reject: string
    /** You are subscribed */
    confirmedTitle: string
    /** Thank you. Every mail has a link to unsubscribe. */
    confirmedText: string
    /** Nothing will be sent */
    rejectedTitle: string
    /** You are not subscribed, and we will not ask again. */
    rejectedText: string
    /** This link has expired */
    expiredTitle: string
    /** A confirmation link works for 7 days. You can request a new one. */
    expiredText: string
    /** Send a new link */
    resend: string
    /** Check your inbox */
    resentTitle: string
    /** If your subscription is still waiting for confirmation, a new link is on its way. */
    resentText: string
    /** This link does not work */
    unknownTitle: string
    /** It may have been cut off. Try opening it again from the mail. */
    unknownText: string
    /** Unsubscribe */
    unsubscribeTitle: string
    /** Do you want to leave the list “{list}”? */
    unsubscribeAsk: (list: string | number) => string
    /** Do you want to stop all news from {company}? */
    unsubscribeAllAsk: (company: string | number) => string
    /** Unsubscribe */
    unsubscribe: string
    /** Unsubscribe from everything */
    unsubscribeAll: string
    /** You are unsubscribed */
    unsubscribedTitle: string
    /** {company} will no longer send you this mail. */
    unsubscribedText: (company: string | number) => string
    /** Choose what you receive */
    preferences: string
    /** Go to the website of {company} */
    website: (company: string | number) => string
    /** What you receive */
    preferencesTitle: string
    /** Mail to {email}: */
    preferencesAsk: (email: string | number) => string
    /** There is no list to choose from. */
    noLists: string
    /** Save */
    save: string
    /** Saved */
    savedTitle: string
    /** Your changes take effect immediately. */
    savedText: string
    /** Change it again */
    back: string
    /** Nothing has been sent yet. */
    noLetters: string
    /** Older */
    older: string
    /** Feed */
    feed: string
  }
}
