// The texts of the public pages, in the languages of the built-in confirmation mail.

import { baseLocale } from '../../kit/locale.ts'
import { ownValue } from '../../kit/own-value.ts'

interface Wording {
  formTitle: string
  formEmail: string
  formSend: string
  formSentTitle: string
  formSentText: string
  formAgain: string
  formInvalid: string
  confirmTitle: string
  confirmAsk: (company: string) => string
  confirm: string
  reject: string
  confirmedTitle: string
  confirmedText: string
  rejectedTitle: string
  rejectedText: string
  expiredTitle: string
  expiredText: string
  resend: string
  resentTitle: string
  resentText: string
  unknownTitle: string
  unknownText: string
  unsubscribeTitle: string
  unsubscribeAsk: (list: string) => string
  unsubscribeAllAsk: (company: string) => string
  unsubscribe: string
  unsubscribeAll: string
  unsubscribedTitle: string
  unsubscribedText: (company: string) => string
  preferences: string
  /** Where a link to their own site leads. */
  website: (company: string) => string
  preferencesTitle: string
  preferencesAsk: (email: string) => string
  noLists: string
  save: string
  savedTitle: string
  savedText: string
  back: string
  /** Of the public archive of a list. */
  noLetters: string
  older: string
  feed: string
}

const en: Wording = {
  formTitle: 'Subscribe',
  formEmail: 'E-mail address',
  formSend: 'Subscribe',
  formSentTitle: 'Thank you',
  formSentText: 'If this address is not on the list yet, it is now, or a mail is on its way that asks you to confirm.',
  formAgain: 'Please press the button once more.',
  formInvalid: 'Please check the address.',
  confirmTitle: 'Confirm your subscription',
  confirmAsk: (company) => `You asked for mail from ${company}:`,
  confirm: 'Confirm subscription',
  reject: 'No thanks',
  confirmedTitle: 'You are subscribed',
  confirmedText: 'Thank you. Every mail has a link to unsubscribe.',
  rejectedTitle: 'Nothing will be sent',
  rejectedText: 'You are not subscribed, and we will not ask again.',
  expiredTitle: 'This link has expired',
  expiredText: 'A confirmation link works for 7 days. You can request a new one.',
  resend: 'Send a new link',
  resentTitle: 'Check your inbox',
  resentText: 'If your subscription is still waiting for confirmation, a new link is on its way.',
  unknownTitle: 'This link does not work',
  unknownText: 'It may have been cut off. Try opening it again from the mail.',
  unsubscribeTitle: 'Unsubscribe',
  unsubscribeAsk: (list) => `Do you want to leave the list “${list}”?`,
  unsubscribeAllAsk: (company) => `Do you want to stop all news from ${company}?`,
  unsubscribe: 'Unsubscribe',
  unsubscribeAll: 'Unsubscribe from everything',
  unsubscribedTitle: 'You are unsubscribed',
  unsubscribedText: (company) => `${company} will no longer send you this mail.`,
  preferences: 'Choose what you receive',
  website: (company) => `Go to the website of ${company}`,
  preferencesTitle: 'What you receive',
  preferencesAsk: (email) => `Mail to ${email}:`,
  noLists: 'There is no list to choose from.',
  save: 'Save',
  savedTitle: 'Saved',
  savedText: 'Your changes take effect immediately.',
  back: 'Change it again',
  noLetters: 'Nothing has been sent yet.',
  older: 'Older',
  feed: 'Feed',
}

const de: Wording = {
  formTitle: 'Anmelden',
  formEmail: 'E-Mail-Adresse',
  formSend: 'Anmelden',
  formSentTitle: 'Danke',
  formSentText:
    'Wenn diese Adresse noch nicht auf der Liste ist, dann ist sie es jetzt, oder eine E-Mail bittet Sie gleich um Bestätigung.',
  formAgain: 'Bitte drücken Sie den Knopf noch einmal.',
  formInvalid: 'Bitte prüfen Sie die Adresse.',
  confirmTitle: 'Anmeldung bestätigen',
  confirmAsk: (company) => `Sie möchten E-Mails von ${company} erhalten:`,
  confirm: 'Anmeldung bestätigen',
  reject: 'Nein danke',
  confirmedTitle: 'Sie sind angemeldet',
  confirmedText: 'Vielen Dank. In jeder E-Mail steht ein Link, mit dem Sie sich wieder abmelden können.',
  rejectedTitle: 'Es wird nichts versendet',
  rejectedText: 'Sie sind nicht angemeldet und werden nicht noch einmal gefragt.',
  expiredTitle: 'Dieser Link ist abgelaufen',
  expiredText: 'Ein Bestätigungslink gilt 7 Tage. Sie können sich einen neuen schicken lassen.',
  resend: 'Neuen Link senden',
  resentTitle: 'Schauen Sie in Ihr Postfach',
  resentText: 'Falls Ihre Anmeldung noch auf Sie wartet, ist ein neuer Link unterwegs.',
  unknownTitle: 'Dieser Link funktioniert nicht',
  unknownText: 'Vielleicht wurde er abgeschnitten. Öffnen Sie ihn noch einmal aus der E-Mail.',
  unsubscribeTitle: 'Abmelden',
  unsubscribeAsk: (list) => `Möchten Sie sich von der Liste „${list}“ abmelden?`,
  unsubscribeAllAsk: (company) => `Möchten Sie keine Neuigkeiten von ${company} mehr erhalten?`,
  unsubscribe: 'Abmelden',
  unsubscribeAll: 'Von allem abmelden',
  unsubscribedTitle: 'Sie sind abgemeldet',
  unsubscribedText: (company) => `${company} schickt Ihnen diese E-Mails nicht mehr.`,
  preferences: 'Auswählen, was Sie erhalten',
  website: (company) => `Zur Website von ${company}`,
  preferencesTitle: 'Was Sie erhalten',
  preferencesAsk: (email) => `E-Mails an ${email}:`,
  noLists: 'Es gibt keine Liste zur Auswahl.',
  save: 'Speichern',
  savedTitle: 'Gespeichert',
  savedText: 'Ihre Auswahl gilt ab sofort.',
  back: 'Noch einmal ändern',
  noLetters: 'Noch wurde nichts verschickt.',
  older: 'Ältere',
  feed: 'Feed',
}

const fr: Wording = {
  formTitle: 'S’inscrire',
  formEmail: 'Adresse e-mail',
  formSend: 'S’inscrire',
  formSentTitle: 'Merci',
  formSentText:
    'Si cette adresse n’était pas encore sur la liste, elle l’est maintenant, ou un e-mail va vous demander de confirmer.',
  formAgain: 'Veuillez appuyer encore une fois sur le bouton.',
  formInvalid: 'Veuillez vérifier l’adresse.',
  confirmTitle: 'Confirmez votre inscription',
  confirmAsk: (company) => `Vous avez demandé à recevoir les e-mails de ${company} :`,
  confirm: 'Confirmer l’inscription',
  reject: 'Non merci',
  confirmedTitle: 'Vous êtes inscrit',
  confirmedText: 'Merci. Chaque e-mail contient un lien qui permet de se désabonner.',
  rejectedTitle: 'Rien ne sera envoyé',
  rejectedText: 'Vous n’êtes pas inscrit et rien ne vous sera plus demandé.',
  expiredTitle: 'Ce lien a expiré',
  expiredText: 'Un lien de confirmation est valable 7 jours. Vous pouvez en recevoir un nouveau.',
  resend: 'Envoyer un nouveau lien',
  resentTitle: 'Regardez votre messagerie',
  resentText: 'Si votre inscription attend encore, un nouveau lien est en route.',
  unknownTitle: 'Ce lien ne fonctionne pas',
  unknownText: 'Il a peut-être été coupé. Ouvrez-le de nouveau depuis l’e-mail.',
  unsubscribeTitle: 'Se désabonner',
  unsubscribeAsk: (list) => `Voulez-vous quitter la liste « ${list} » ?`,
  unsubscribeAllAsk: (company) => `Ne plus recevoir les nouvelles de ${company} ?`,
  unsubscribe: 'Se désabonner',
  unsubscribeAll: 'Se désabonner de tout',
  unsubscribedTitle: 'Vous êtes désabonné',
  unsubscribedText: (company) => `${company} ne vous enverra plus ces e-mails.`,
  preferences: 'Choisir ce que vous recevez',
  website: (company) => `Aller sur le site de ${company}`,
  preferencesTitle: 'Ce que vous recevez',
  preferencesAsk: (email) => `E-mails à ${email} :`,
  noLists: 'Il n’y a pas de liste à choisir.',
  save: 'Enregistrer',
  savedTitle: 'Enregistré',
  savedText: 'Votre choix s’applique dès maintenant.',
  back: 'Modifier encore',
  noLetters: 'Rien n’a encore été envoyé.',
  older: 'Plus anciens',
  feed: 'Flux',
}

const es: Wording = {
  formTitle: 'Suscribirse',
  formEmail: 'Correo electrónico',
  formSend: 'Suscribirse',
  formSentTitle: 'Gracias',
  formSentText: 'Si esta dirección aún no estaba en la lista, ya lo está, o un correo te pedirá que confirmes.',
  formAgain: 'Pulsa el botón una vez más.',
  formInvalid: 'Revisa la dirección.',
  confirmTitle: 'Confirma tu suscripción',
  confirmAsk: (company) => `Has pedido recibir los correos de ${company}:`,
  confirm: 'Confirmar suscripción',
  reject: 'No, gracias',
  confirmedTitle: 'Suscripción confirmada',
  confirmedText: 'Gracias. Cada correo lleva un enlace para darte de baja.',
  rejectedTitle: 'No se enviará nada',
  rejectedText: 'No estás suscrito y no se te preguntará más.',
  expiredTitle: 'Este enlace ha caducado',
  expiredText: 'Un enlace de confirmación vale 7 días. Puedes pedir uno nuevo.',
  resend: 'Enviar un enlace nuevo',
  resentTitle: 'Mira tu buzón',
  resentText: 'Si tu suscripción sigue esperando, un enlace nuevo está en camino.',
  unknownTitle: 'Este enlace no funciona',
  unknownText: 'Puede que esté cortado. Ábrelo otra vez desde el correo.',
  unsubscribeTitle: 'Darse de baja',
  unsubscribeAsk: (list) => `¿Quieres dejar la lista «${list}»?`,
  unsubscribeAllAsk: (company) => `¿No quieres recibir más novedades de ${company}?`,
  unsubscribe: 'Darse de baja',
  unsubscribeAll: 'Darse de baja de todo',
  unsubscribedTitle: 'Te has dado de baja',
  unsubscribedText: (company) => `${company} no te enviará más estos correos.`,
  preferences: 'Elegir lo que recibes',
  website: (company) => `Ir al sitio web de ${company}`,
  preferencesTitle: 'Lo que recibes',
  preferencesAsk: (email) => `Correos a ${email}:`,
  noLists: 'No hay listas para elegir.',
  save: 'Guardar',
  savedTitle: 'Guardado',
  savedText: 'Tu elección vale desde ahora.',
  back: 'Cambiar otra vez',
  noLetters: 'Todavía no se ha enviado nada.',
  older: 'Anteriores',
  feed: 'Feed',
}

const it: Wording = {
  formTitle: 'Iscriviti',
  formEmail: 'Indirizzo e-mail',
  formSend: 'Iscriviti',
  formSentTitle: 'Grazie',
  formSentText: 'Se questo indirizzo non era ancora nella lista, ora lo è, o un’e-mail ti chiederà di confermare.',
  formAgain: 'Premi il pulsante ancora una volta.',
  formInvalid: 'Controlla l’indirizzo.',
  confirmTitle: 'Conferma la tua iscrizione',
  confirmAsk: (company) => `Hai chiesto di ricevere le e-mail di ${company}:`,
  confirm: 'Conferma iscrizione',
  reject: 'No, grazie',
  confirmedTitle: 'Iscrizione confermata',
  confirmedText: 'Grazie. Ogni e-mail contiene un link per annullare l’iscrizione.',
  rejectedTitle: 'Non verrà inviato nulla',
  rejectedText: 'Non sei iscritto e non ti verrà chiesto altro.',
  expiredTitle: 'Questo link è scaduto',
  expiredText: 'Un link di conferma vale 7 giorni. Puoi riceverne uno nuovo.',
  resend: 'Invia un nuovo link',
  resentTitle: 'Guarda nella tua casella',
  resentText: 'Se la tua iscrizione è ancora in attesa, un nuovo link è in arrivo.',
  unknownTitle: 'Questo link non funziona',
  unknownText: 'Forse è stato tagliato. Aprilo di nuovo dall’e-mail.',
  unsubscribeTitle: 'Annulla iscrizione',
  unsubscribeAsk: (list) => `Vuoi lasciare la lista «${list}»?`,
  unsubscribeAllAsk: (company) => `Non vuoi più ricevere novità da ${company}?`,
  unsubscribe: 'Annulla iscrizione',
  unsubscribeAll: 'Annulla tutte le iscrizioni',
  unsubscribedTitle: 'Iscrizione annullata',
  unsubscribedText: (company) => `${company} non ti invierà più queste e-mail.`,
  preferences: 'Scegli cosa ricevere',
  website: (company) => `Vai al sito di ${company}`,
  preferencesTitle: 'Cosa ricevi',
  preferencesAsk: (email) => `E-mail a ${email}:`,
  noLists: 'Non ci sono liste tra cui scegliere.',
  save: 'Salva',
  savedTitle: 'Salvato',
  savedText: 'La tua scelta vale da subito.',
  back: 'Cambia di nuovo',
  noLetters: 'Non è ancora stato inviato nulla.',
  older: 'Meno recenti',
  feed: 'Feed',
}

const pt: Wording = {
  formTitle: 'Inscrever-se',
  formEmail: 'Endereço de e-mail',
  formSend: 'Inscrever-se',
  formSentTitle: 'Obrigado',
  formSentText: 'Se este endereço ainda não estava na lista, agora está, ou um e-mail vai pedir que confirme.',
  formAgain: 'Prima o botão mais uma vez.',
  formInvalid: 'Verifique o endereço.',
  confirmTitle: 'Confirme a sua inscrição',
  confirmAsk: (company) => `Você pediu para receber os e-mails de ${company}:`,
  confirm: 'Confirmar inscrição',
  reject: 'Não, obrigado',
  confirmedTitle: 'Inscrição confirmada',
  confirmedText: 'Obrigado. Cada e-mail traz um link para cancelar a inscrição.',
  rejectedTitle: 'Nada será enviado',
  rejectedText: 'Você não está inscrito e nada mais será perguntado.',
  expiredTitle: 'Este link expirou',
  expiredText: 'Um link de confirmação vale 7 dias. Você pode pedir um novo.',
  resend: 'Enviar um novo link',
  resentTitle: 'Veja a sua caixa de entrada',
  resentText: 'Se a sua inscrição ainda espera, um novo link está a caminho.',
  unknownTitle: 'Este link não funciona',
  unknownText: 'Talvez tenha sido cortado. Abra-o novamente a partir do e-mail.',
  unsubscribeTitle: 'Cancelar inscrição',
  unsubscribeAsk: (list) => `Quer sair da lista “${list}”?`,
  unsubscribeAllAsk: (company) => `Não quer mais receber novidades de ${company}?`,
  unsubscribe: 'Cancelar inscrição',
  unsubscribeAll: 'Cancelar tudo',
  unsubscribedTitle: 'Inscrição cancelada',
  unsubscribedText: (company) => `${company} não enviará mais estes e-mails a você.`,
  preferences: 'Escolher o que recebe',
  website: (company) => `Ir para o site de ${company}`,
  preferencesTitle: 'O que você recebe',
  preferencesAsk: (email) => `E-mails para ${email}:`,
  noLists: 'Não há listas para escolher.',
  save: 'Salvar',
  savedTitle: 'Salvo',
  savedText: 'A sua escolha vale a partir de agora.',
  back: 'Mudar outra vez',
  noLetters: 'Ainda não foi enviado nada.',
  older: 'Mais antigos',
  feed: 'Feed',
}

const languages: Record<string, Wording> = { en, de, fr, es, it, pt }

export interface Words extends Wording {
  locale: string
}

/** The person's language if we have it, else the workspace's, else English. */
export function wordsFor(...locales: (string | null | undefined)[]): Words {
  const wanted = locales.flatMap((locale) => (locale ? [baseLocale(locale)] : []))
  const locale = wanted.find((one) => Object.hasOwn(languages, one)) ?? 'en'
  return { ...(ownValue(languages, locale) ?? en), locale }
}
