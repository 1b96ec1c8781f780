// MessagesOf by `bun run languages`; change the words in languages/en/, not here.

import type { MessagesOf } from '../message.ts'

export const dashboardLanguages = ["en","ar","de","es","fr","pt-BR"]

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
  mails: {
    /** This mail does not exist */
    goneTitle: string
    /** It was deleted, or the link is incomplete. */
    gone: string
    /** This link does not work */
    brokenLinkTitle: string
    /** It is invalid, or it no longer exists. */
    brokenLink: string
  }
  approve: {
    /** What your agents would do */
    title: string
    /** In {workspace}, for {email}. Nothing of this happens without your yes. */
    ask: (values: { workspace: string | number; email: string | number }) => string
    /** To {address} */
    to: (address: string | number) => string
    /** Written by {agent} */
    by: (agent: string | number) => string
    /** It answers this mail, which somebody outside wrote: */
    answers: string
    /** The call, exactly: */
    call: string
    /** Yes to exactly this */
    tick: string
    /** It has changed since it was mailed to you: decide in the dashboard. */
    changed: string
    /** Approved by {person}. */
    approvedBy: (person: string | number) => string
    /** Refused by {person}. */
    refusedBy: (person: string | number) => string
    /** Its agent has withdrawn it. */
    withdrawn: string
    /** It is no longer there. */
    gone: string
    /** Approve what is ticked */
    approve: string
    /** Refuse all of it */
    refuse: string
    /** Nothing is ticked: tick what you approve. */
    nothing: string
    /** Send me no more such mails */
    stop: string
    /** No more such mails */
    stoppedTitle: string
    /** You get no more mails about what waits in {workspace}. The list is in the dashboard. */
    stopped: (workspace: string | number) => string
    /** Decided */
    doneTitle: string
    /** Approved: it is on its way. */
    approved: string
    /** Refused: it will not happen. */
    refused: string
    /** Not done: {reason} */
    notDone: (reason: string | number) => string
    /** To the dashboard */
    dashboard: string
    /** This link does not work any more */
    closedTitle: string
    /** It was used, is older than 24 hours, or you now decide in the dashboard. */
    closed: string
  }
}

export const pageMessages: Record<string, MessagesOf<PageWords>> = {
  'en': {"confirmationMail":{"subject":"Please confirm your subscription","preview":"One click, and you are on the list.","heading":"Confirm your subscription","ask":"Somebody, most likely you, asked to receive mail from {{company_name}} to this address: {{list_names}}.","button":"Confirm subscription","open":"Or open this link:","ignore":"If it was not you, ignore this mail: without your click nothing will be sent. The link works for 7 days."},"lists":{"formTitle":"Subscribe","formEmail":"E-mail address","formSend":"Subscribe","formSentTitle":"Thank you","formSentText":"If this address is not on the list yet, it is now, or a mail is on its way that asks you to confirm.","formAgain":"Please press the button once more.","formInvalid":"Please check the address.","confirmTitle":"Confirm your subscription","confirmAsk":["You asked for mail from ",["company"],":"],"confirm":"Confirm subscription","reject":"No thanks","confirmedTitle":"You are subscribed","confirmedText":"Thank you. Every mail has a link to unsubscribe.","rejectedTitle":"Nothing will be sent","rejectedText":"You are not subscribed, and we will not ask again.","expiredTitle":"This link has expired","expiredText":"A confirmation link works for 7 days. You can request a new one.","resend":"Send a new link","resentTitle":"Check your inbox","resentText":"If your subscription is still waiting for confirmation, a new link is on its way.","unknownTitle":"This link does not work","unknownText":"It may have been cut off. Try opening it again from the mail.","unsubscribeTitle":"Unsubscribe","unsubscribeAsk":["Do you want to leave the list “",["list"],"”?"],"unsubscribeAllAsk":["Do you want to stop all news from ",["company"],"?"],"unsubscribe":"Unsubscribe","unsubscribeAll":"Unsubscribe from everything","unsubscribedTitle":"You are unsubscribed","unsubscribedText":[["company"]," will no longer send you this mail."],"preferences":"Choose what you receive","website":["Go to the website of ",["company"]],"preferencesTitle":"What you receive","preferencesAsk":["Mail to ",["email"],":"],"noLists":"There is no list to choose from.","save":"Save","savedTitle":"Saved","savedText":"Your changes take effect immediately.","back":"Change it again","noLetters":"Nothing has been sent yet.","older":"Older","feed":"Feed"},"mails":{"goneTitle":"This mail does not exist","gone":"It was deleted, or the link is incomplete.","brokenLinkTitle":"This link does not work","brokenLink":"It is invalid, or it no longer exists."},"approve":{"title":"What your agents would do","ask":["In ",["workspace"],", for ",["email"],". Nothing of this happens without your yes."],"to":["To ",["address"]],"by":["Written by ",["agent"]],"answers":"It answers this mail, which somebody outside wrote:","call":"The call, exactly:","tick":"Yes to exactly this","changed":"It has changed since it was mailed to you: decide in the dashboard.","approvedBy":["Approved by ",["person"],"."],"refusedBy":["Refused by ",["person"],"."],"withdrawn":"Its agent has withdrawn it.","gone":"It is no longer there.","approve":"Approve what is ticked","refuse":"Refuse all of it","nothing":"Nothing is ticked: tick what you approve.","stop":"Send me no more such mails","stoppedTitle":"No more such mails","stopped":["You get no more mails about what waits in ",["workspace"],". The list is in the dashboard."],"doneTitle":"Decided","approved":"Approved: it is on its way.","refused":"Refused: it will not happen.","notDone":["Not done: ",["reason"]],"dashboard":"To the dashboard","closedTitle":"This link does not work any more","closed":"It was used, is older than 24 hours, or you now decide in the dashboard."}},
  'ar': {"confirmationMail":{"subject":"يُرجى تأكيد اشتراكك","preview":"نقرة واحدة وتصير في القائمة.","heading":"تأكيد اشتراكك","ask":"طلب شخص ما، وهو أنت على الأرجح، تلقي البريد من {{company_name}} على هذا العنوان: {{list_names}}.","button":"تأكيد الاشتراك","open":"أو افتح هذا الرابط:","ignore":"إن لم تكن أنت، فتجاهل هذه الرسالة: لن يُرسل شيء دون نقرك. ويعمل الرابط لمدة 7 أيام."},"lists":{"formTitle":"اشتراك","formEmail":"البريد الإلكتروني","formSend":"اشتراك","formSentTitle":"شكرًا لك","formSentText":"إذا لم يكن هذا العنوان في القائمة من قبل، فقد أُضيف الآن، أو أن رسالة في الطريق تطلب منك التأكيد.","formAgain":"يُرجى الضغط على الزر مرة أخرى.","formInvalid":"يُرجى التحقق من العنوان.","confirmTitle":"تأكيد اشتراكك","confirmAsk":["طلبت تلقي البريد من ",["company"],":"],"confirm":"تأكيد الاشتراك","reject":"لا، شكرًا","confirmedTitle":"تم اشتراكك","confirmedText":"شكرًا لك. في كل رسالة رابط لإلغاء الاشتراك.","rejectedTitle":"لن يُرسل شيء","rejectedText":"لم يتم اشتراكك، ولن نسألك مجددًا.","expiredTitle":"انتهت صلاحية هذا الرابط","expiredText":"يعمل رابط التأكيد لمدة 7 أيام. ويمكنك طلب رابط جديد.","resend":"إرسال رابط جديد","resentTitle":"تفقّد بريدك الوارد","resentText":"إذا كان اشتراكك ما زال ينتظر التأكيد، فإن رابطًا جديدًا في الطريق.","unknownTitle":"هذا الرابط لا يعمل","unknownText":"ربما كان مقطوعًا. حاول فتحه مجددًا من الرسالة.","unsubscribeTitle":"إلغاء الاشتراك","unsubscribeAsk":["هل تريد مغادرة القائمة «",["list"],"»؟"],"unsubscribeAllAsk":["هل تريد إيقاف كل أخبار ",["company"],"؟"],"unsubscribe":"إلغاء الاشتراك","unsubscribeAll":"إلغاء الاشتراك في كل شيء","unsubscribedTitle":"أُلغي اشتراكك","unsubscribedText":["لن ترسل إليك ",["company"]," هذا البريد بعد الآن."],"preferences":"اختيار ما تتلقاه","website":["الانتقال إلى موقع ",["company"]],"preferencesTitle":"ما تتلقاه","preferencesAsk":["البريد إلى ",["email"],":"],"noLists":"لا توجد قائمة للاختيار منها.","save":"حفظ","savedTitle":"تم الحفظ","savedText":"تسري تغييراتك فورًا.","back":"تغيير مجددًا","noLetters":"لم يُرسل شيء بعد.","older":"الأقدم","feed":"الخلاصة"},"mails":{"goneTitle":"هذه الرسالة غير موجودة","gone":"حُذفت، أو أن الرابط غير مكتمل.","brokenLinkTitle":"هذا الرابط لا يعمل","brokenLink":"غير صالح، أو لم يعد موجودًا."},"approve":{"title":"ما الذي سيفعله وكلاؤك","ask":["في ",["workspace"],"، من أجل ",["email"],". لا يحدث شيء من هذا دون موافقتك."],"to":["إلى ",["address"]],"by":["كتبه ",["agent"]],"answers":"يرد على هذه الرسالة التي كتبها شخص من الخارج:","call":"الاستدعاء كما هو بالضبط:","tick":"نعم، هذا بالضبط","changed":"تغيّر منذ أن أُرسل إليك بالبريد: قرّر في لوحة التحكم.","approvedBy":["وافق عليه ",["person"],"."],"refusedBy":["رفضه ",["person"],"."],"withdrawn":"سحبه الوكيل.","gone":"لم يعد موجودًا.","approve":"الموافقة على المحدد","refuse":"رفض الكل","nothing":"لم يُحدَّد شيء: حدّد ما توافق عليه.","stop":"لا ترسل إليّ مثل هذه الرسائل","stoppedTitle":"لا مزيد من هذه الرسائل","stopped":["لن تصلك رسائل عما ينتظر في ",["workspace"],". القائمة في لوحة التحكم."],"doneTitle":"تم القرار","approved":"تمت الموافقة: إنه في الطريق.","refused":"رُفض: لن يحدث.","notDone":["لم يُنفَّذ: ",["reason"]],"dashboard":"إلى لوحة التحكم","closedTitle":"لم يعد هذا الرابط يعمل","closed":"استُخدم، أو مضى عليه أكثر من 24 ساعة، أو أنك تقرّر الآن في لوحة التحكم."}},
  'de': {"confirmationMail":{"subject":"Bitte bestätigen Sie Ihre Anmeldung","preview":"Ein Klick, und Sie sind dabei.","heading":"Anmeldung bestätigen","ask":"Jemand, vermutlich Sie, möchte an diese Adresse E-Mails von {{company_name}} erhalten: {{list_names}}.","button":"Anmeldung bestätigen","open":"Oder öffnen Sie diese Adresse:","ignore":"Waren Sie es nicht, tun Sie nichts: Ohne Ihren Klick wird nichts versendet. Der Link gilt 7 Tage."},"lists":{"formTitle":"Anmelden","formEmail":"E-Mail-Adresse","formSend":"Anmelden","formSentTitle":"Danke","formSentText":"Wenn diese Adresse noch nicht auf der Liste ist, dann ist sie es jetzt, oder eine E-Mail bittet Sie gleich um Bestätigung.","formAgain":"Bitte drücken Sie den Knopf noch einmal.","formInvalid":"Bitte prüfen Sie die Adresse.","confirmTitle":"Anmeldung bestätigen","confirmAsk":["Sie möchten E-Mails von ",["company"]," erhalten:"],"confirm":"Anmeldung bestätigen","reject":"Nein danke","confirmedTitle":"Sie sind angemeldet","confirmedText":"Vielen Dank. In jeder E-Mail steht ein Link, mit dem Sie sich wieder abmelden können.","rejectedTitle":"Es wird nichts versendet","rejectedText":"Sie sind nicht angemeldet und werden nicht noch einmal gefragt.","expiredTitle":"Dieser Link ist abgelaufen","expiredText":"Ein Bestätigungslink gilt 7 Tage. Sie können sich einen neuen schicken lassen.","resend":"Neuen Link senden","resentTitle":"Schauen Sie in Ihr Postfach","resentText":"Falls Ihre Anmeldung noch auf Sie wartet, ist ein neuer Link unterwegs.","unknownTitle":"Dieser Link funktioniert nicht","unknownText":"Vielleicht wurde er abgeschnitten. Öffnen Sie ihn noch einmal aus der E-Mail.","unsubscribeTitle":"Abmelden","unsubscribeAsk":["Möchten Sie sich von der Liste „",["list"],"“ abmelden?"],"unsubscribeAllAsk":["Möchten Sie keine Neuigkeiten von ",["company"]," mehr erhalten?"],"unsubscribe":"Abmelden","unsubscribeAll":"Von allem abmelden","unsubscribedTitle":"Sie sind abgemeldet","unsubscribedText":[["company"]," schickt Ihnen diese E-Mails nicht mehr."],"preferences":"Auswählen, was Sie erhalten","website":["Zur Website von ",["company"]],"preferencesTitle":"Was Sie erhalten","preferencesAsk":["E-Mails an ",["email"],":"],"noLists":"Es gibt keine Liste zur Auswahl.","save":"Speichern","savedTitle":"Gespeichert","savedText":"Ihre Auswahl gilt ab sofort.","back":"Noch einmal ändern","noLetters":"Noch wurde nichts verschickt.","older":"Ältere","feed":"Feed"},"mails":{"goneTitle":"Diese Mail gibt es nicht","gone":"Sie wurde gelöscht, oder der Link ist unvollständig.","brokenLinkTitle":"Dieser Link funktioniert nicht","brokenLink":"Er ist ungültig, oder es gibt ihn nicht mehr."},"approve":{"title":"Was Ihre Agenten tun würden","ask":["In ",["workspace"],", für ",["email"],". Nichts davon geschieht ohne Ihr Ja."],"to":["An ",["address"]],"by":["Geschrieben von ",["agent"]],"answers":"Es beantwortet diese Mail, die jemand von außen geschrieben hat:","call":"Der Aufruf, genau so:","tick":"Ja, genau das","changed":"Es hat sich geändert, seit es Ihnen gemailt wurde: Entscheiden Sie im Dashboard.","approvedBy":["Freigegeben von ",["person"],"."],"refusedBy":["Abgelehnt von ",["person"],"."],"withdrawn":"Sein Agent hat es zurückgezogen.","gone":"Es ist nicht mehr da.","approve":"Angehaktes freigeben","refuse":"Alles ablehnen","nothing":"Nichts ist angehakt: Haken Sie an, was Sie freigeben.","stop":"Keine solchen Mails mehr senden","stoppedTitle":"Keine solchen Mails mehr","stopped":["Sie bekommen keine Mails mehr darüber, was in ",["workspace"]," wartet. Die Liste steht im Dashboard."],"doneTitle":"Entschieden","approved":"Freigegeben: Es ist unterwegs.","refused":"Abgelehnt: Es geschieht nicht.","notDone":["Nicht getan: ",["reason"]],"dashboard":"Zum Dashboard","closedTitle":"Dieser Link funktioniert nicht mehr","closed":"Er wurde benutzt, ist älter als 24 Stunden, oder Sie entscheiden jetzt im Dashboard."}},
  'es': {"confirmationMail":{"subject":"Confirma tu suscripción","preview":"Un clic y listo.","heading":"Confirma tu suscripción","ask":"Alguien, probablemente tú, pidió recibir en esta dirección los correos de {{company_name}}: {{list_names}}.","button":"Confirmar suscripción","open":"O abre esta dirección:","ignore":"Si no fuiste tú, no hagas nada: sin tu clic no se enviará nada. El enlace vale 7 días."},"lists":{"formTitle":"Suscribirse","formEmail":"Correo electrónico","formSend":"Suscribirse","formSentTitle":"Gracias","formSentText":"Si esta dirección aún no estaba en la lista, ya lo está, o un correo te pedirá que confirmes.","formAgain":"Pulsa el botón una vez más.","formInvalid":"Revisa la dirección.","confirmTitle":"Confirma tu suscripción","confirmAsk":["Has pedido recibir los correos de ",["company"],":"],"confirm":"Confirmar suscripción","reject":"No, gracias","confirmedTitle":"Suscripción confirmada","confirmedText":"Gracias. Cada correo lleva un enlace para darte de baja.","rejectedTitle":"No se enviará nada","rejectedText":"No estás suscrito y no se te preguntará más.","expiredTitle":"Este enlace ha caducado","expiredText":"Un enlace de confirmación vale 7 días. Puedes pedir uno nuevo.","resend":"Enviar un enlace nuevo","resentTitle":"Mira tu buzón","resentText":"Si tu suscripción sigue esperando, un enlace nuevo está en camino.","unknownTitle":"Este enlace no funciona","unknownText":"Puede que esté cortado. Ábrelo otra vez desde el correo.","unsubscribeTitle":"Darse de baja","unsubscribeAsk":["¿Quieres dejar la lista «",["list"],"»?"],"unsubscribeAllAsk":["¿No quieres recibir más novedades de ",["company"],"?"],"unsubscribe":"Darse de baja","unsubscribeAll":"Darse de baja de todo","unsubscribedTitle":"Te has dado de baja","unsubscribedText":[["company"]," no te enviará más estos correos."],"preferences":"Elegir lo que recibes","website":["Ir al sitio web de ",["company"]],"preferencesTitle":"Lo que recibes","preferencesAsk":["Correos a ",["email"],":"],"noLists":"No hay listas para elegir.","save":"Guardar","savedTitle":"Guardado","savedText":"Tu elección vale desde ahora.","back":"Cambiar otra vez","noLetters":"Todavía no se ha enviado nada.","older":"Anteriores","feed":"Feed"},"mails":{"goneTitle":"Este correo no existe","gone":"Se ha borrado, o el enlace está incompleto.","brokenLinkTitle":"Este enlace no funciona","brokenLink":"No es válido, o ya no existe."},"approve":{"title":"Lo que harían sus agentes","ask":["En ",["workspace"],", para ",["email"],". Nada de esto ocurre sin su sí."],"to":["Para ",["address"]],"by":["Escrito por ",["agent"]],"answers":"Responde a este correo, que escribió alguien de fuera:","call":"La llamada, exactamente:","tick":"Sí, exactamente esto","changed":"Ha cambiado desde que se le envió: decida en el panel.","approvedBy":["Aprobado por ",["person"],"."],"refusedBy":["Rechazado por ",["person"],"."],"withdrawn":"Su agente lo ha retirado.","gone":"Ya no está.","approve":"Aprobar lo marcado","refuse":"Rechazar todo","nothing":"No hay nada marcado: marque lo que aprueba.","stop":"No enviarme más correos así","stoppedTitle":"No más correos así","stopped":["Ya no recibirá correos sobre lo que espera en ",["workspace"],". La lista está en el panel."],"doneTitle":"Decidido","approved":"Aprobado: está en camino.","refused":"Rechazado: no ocurrirá.","notDone":["No se hizo: ",["reason"]],"dashboard":"Ir al panel","closedTitle":"Este enlace ya no funciona","closed":"Se usó, tiene más de 24 horas, o ahora usted decide en el panel."}},
  'fr': {"confirmationMail":{"subject":"Veuillez confirmer votre inscription","preview":"Un clic, et c’est fait.","heading":"Confirmez votre inscription","ask":"Quelqu’un, sans doute vous, souhaite recevoir à cette adresse les e-mails de {{company_name}} : {{list_names}}.","button":"Confirmer l’inscription","open":"Ou ouvrez cette adresse :","ignore":"Si ce n’était pas vous, ne faites rien : sans votre clic, rien ne sera envoyé. Le lien est valable 7 jours."},"lists":{"formTitle":"S’inscrire","formEmail":"Adresse e-mail","formSend":"S’inscrire","formSentTitle":"Merci","formSentText":"Si cette adresse n’était pas encore sur la liste, elle l’est maintenant, ou un e-mail va vous demander de confirmer.","formAgain":"Veuillez appuyer encore une fois sur le bouton.","formInvalid":"Veuillez vérifier l’adresse.","confirmTitle":"Confirmez votre inscription","confirmAsk":["Vous avez demandé à recevoir les e-mails de ",["company"]," :"],"confirm":"Confirmer l’inscription","reject":"Non merci","confirmedTitle":"Vous êtes inscrit","confirmedText":"Merci. Chaque e-mail contient un lien qui permet de se désabonner.","rejectedTitle":"Rien ne sera envoyé","rejectedText":"Vous n’êtes pas inscrit et rien ne vous sera plus demandé.","expiredTitle":"Ce lien a expiré","expiredText":"Un lien de confirmation est valable 7 jours. Vous pouvez en recevoir un nouveau.","resend":"Envoyer un nouveau lien","resentTitle":"Regardez votre messagerie","resentText":"Si votre inscription attend encore, un nouveau lien est en route.","unknownTitle":"Ce lien ne fonctionne pas","unknownText":"Il a peut-être été coupé. Ouvrez-le de nouveau depuis l’e-mail.","unsubscribeTitle":"Se désabonner","unsubscribeAsk":["Voulez-vous quitter la liste « ",["list"]," » ?"],"unsubscribeAllAsk":["Ne plus recevoir les nouvelles de ",["company"]," ?"],"unsubscribe":"Se désabonner","unsubscribeAll":"Se désabonner de tout","unsubscribedTitle":"Vous êtes désabonné","unsubscribedText":[["company"]," ne vous enverra plus ces e-mails."],"preferences":"Choisir ce que vous recevez","website":["Aller sur le site de ",["company"]],"preferencesTitle":"Ce que vous recevez","preferencesAsk":["E-mails à ",["email"]," :"],"noLists":"Il n’y a pas de liste à choisir.","save":"Enregistrer","savedTitle":"Enregistré","savedText":"Votre choix s’applique dès maintenant.","back":"Modifier encore","noLetters":"Rien n’a encore été envoyé.","older":"Plus anciens","feed":"Flux"},"mails":{"goneTitle":"Cet e-mail n’existe pas","gone":"Il a été supprimé, ou le lien est incomplet.","brokenLinkTitle":"Ce lien ne fonctionne pas","brokenLink":"Il n’est pas valide, ou il n’existe plus."},"approve":{"title":"Ce que vos agents feraient","ask":["Dans ",["workspace"],", pour ",["email"],". Rien de tout cela n’a lieu sans votre oui."],"to":["À ",["address"]],"by":["Écrit par ",["agent"]],"answers":"Cela répond à cet e-mail, écrit par quelqu’un de l’extérieur :","call":"L’appel, exactement :","tick":"Oui, exactement cela","changed":"Cela a changé depuis l’envoi de l’e-mail : décidez dans le tableau de bord.","approvedBy":["Approuvé par ",["person"],"."],"refusedBy":["Refusé par ",["person"],"."],"withdrawn":"Son agent l’a retiré.","gone":"Cela n’existe plus.","approve":"Approuver ce qui est coché","refuse":"Tout refuser","nothing":"Rien n’est coché : cochez ce que vous approuvez.","stop":"Ne plus m’envoyer ces e-mails","stoppedTitle":"Plus de tels e-mails","stopped":["Vous ne recevez plus d’e-mails sur ce qui attend dans ",["workspace"],". La liste est dans le tableau de bord."],"doneTitle":"Décidé","approved":"Approuvé : c’est en route.","refused":"Refusé : cela n’aura pas lieu.","notDone":["Pas fait : ",["reason"]],"dashboard":"Vers le tableau de bord","closedTitle":"Ce lien ne fonctionne plus","closed":"Il a été utilisé, date de plus de 24 heures, ou vous décidez maintenant dans le tableau de bord."}},
  'it': {"confirmationMail":{"subject":"Conferma la tua iscrizione","preview":"Un clic e hai finito.","heading":"Conferma la tua iscrizione","ask":"Qualcuno, probabilmente tu, ha chiesto di ricevere a questo indirizzo le e-mail di {{company_name}}: {{list_names}}.","button":"Conferma iscrizione","open":"Oppure apri questo indirizzo:","ignore":"Se non eri tu, non fare nulla: senza il tuo clic non verrà inviato nulla. Il link vale 7 giorni."},"lists":{"formTitle":"Iscriviti","formEmail":"Indirizzo e-mail","formSend":"Iscriviti","formSentTitle":"Grazie","formSentText":"Se questo indirizzo non era ancora nella lista, ora lo è, o un’e-mail ti chiederà di confermare.","formAgain":"Premi il pulsante ancora una volta.","formInvalid":"Controlla l’indirizzo.","confirmTitle":"Conferma la tua iscrizione","confirmAsk":["Hai chiesto di ricevere le e-mail di ",["company"],":"],"confirm":"Conferma iscrizione","reject":"No, grazie","confirmedTitle":"Iscrizione confermata","confirmedText":"Grazie. Ogni e-mail contiene un link per annullare l’iscrizione.","rejectedTitle":"Non verrà inviato nulla","rejectedText":"Non sei iscritto e non ti verrà chiesto altro.","expiredTitle":"Questo link è scaduto","expiredText":"Un link di conferma vale 7 giorni. Puoi riceverne uno nuovo.","resend":"Invia un nuovo link","resentTitle":"Guarda nella tua casella","resentText":"Se la tua iscrizione è ancora in attesa, un nuovo link è in arrivo.","unknownTitle":"Questo link non funziona","unknownText":"Forse è stato tagliato. Aprilo di nuovo dall’e-mail.","unsubscribeTitle":"Annulla iscrizione","unsubscribeAsk":["Vuoi lasciare la lista «",["list"],"»?"],"unsubscribeAllAsk":["Non vuoi più ricevere novità da ",["company"],"?"],"unsubscribe":"Annulla iscrizione","unsubscribeAll":"Annulla tutte le iscrizioni","unsubscribedTitle":"Iscrizione annullata","unsubscribedText":[["company"]," non ti invierà più queste e-mail."],"preferences":"Scegli cosa ricevere","website":["Vai al sito di ",["company"]],"preferencesTitle":"Cosa ricevi","preferencesAsk":["E-mail a ",["email"],":"],"noLists":"Non ci sono liste tra cui scegliere.","save":"Salva","savedTitle":"Salvato","savedText":"La tua scelta vale da subito.","back":"Cambia di nuovo","noLetters":"Non è ancora stato inviato nulla.","older":"Meno recenti","feed":"Feed"},"mails":{"goneTitle":"Questa e-mail non esiste","gone":"È stata cancellata, o il link è incompleto.","brokenLinkTitle":"Questo link non funziona","brokenLink":"Non è valido, o non esiste più."},"approve":{"title":"Che cosa farebbero i tuoi agenti","ask":["In ",["workspace"],", per ",["email"],". Niente di questo accade senza il tuo sì."],"to":["A ",["address"]],"by":["Scritto da ",["agent"]],"answers":"Risponde a questa mail, scritta da qualcuno all’esterno:","call":"La chiamata, esattamente:","tick":"Sì, esattamente questo","changed":"È cambiato da quando ti è stato inviato: decidi nella dashboard.","approvedBy":["Approvato da ",["person"],"."],"refusedBy":["Rifiutato da ",["person"],"."],"withdrawn":"Il suo agente lo ha ritirato.","gone":"Non c’è più.","approve":"Approva ciò che è spuntato","refuse":"Rifiuta tutto","nothing":"Niente è spuntato: spunta ciò che approvi.","stop":"Non inviarmi più queste mail","stoppedTitle":"Niente più mail come queste","stopped":["Non ricevi più mail su ciò che attende in ",["workspace"],". L’elenco è nella dashboard."],"doneTitle":"Deciso","approved":"Approvato: è in viaggio.","refused":"Rifiutato: non accadrà.","notDone":["Non fatto: ",["reason"]],"dashboard":"Alla dashboard","closedTitle":"Questo link non funziona più","closed":"È stato usato, ha più di 24 ore, oppure ora decidi nella dashboard."}},
  'pt-BR': {"confirmationMail":{"subject":"Confirme a sua inscrição","preview":"Um clique e está feito.","heading":"Confirme a sua inscrição","ask":"Alguém, provavelmente você, pediu para receber neste endereço os e-mails de {{company_name}}: {{list_names}}.","button":"Confirmar inscrição","open":"Ou abra este endereço:","ignore":"Se não foi você, não faça nada: sem o seu clique nada será enviado. O link vale 7 dias."},"lists":{"formTitle":"Inscrever-se","formEmail":"Endereço de e-mail","formSend":"Inscrever-se","formSentTitle":"Obrigado","formSentText":"Se este endereço ainda não estava na lista, agora está, ou um e-mail vai pedir que confirme.","formAgain":"Pressione o botão mais uma vez.","formInvalid":"Verifique o endereço.","confirmTitle":"Confirme a sua inscrição","confirmAsk":["Você pediu para receber os e-mails de ",["company"],":"],"confirm":"Confirmar inscrição","reject":"Não, obrigado","confirmedTitle":"Inscrição confirmada","confirmedText":"Obrigado. Cada e-mail traz um link para cancelar a inscrição.","rejectedTitle":"Nada será enviado","rejectedText":"Você não está inscrito e nada mais será perguntado.","expiredTitle":"Este link expirou","expiredText":"Um link de confirmação vale 7 dias. Você pode pedir um novo.","resend":"Enviar um novo link","resentTitle":"Veja a sua caixa de entrada","resentText":"Se a sua inscrição ainda espera, um novo link está a caminho.","unknownTitle":"Este link não funciona","unknownText":"Talvez tenha sido cortado. Abra-o novamente a partir do e-mail.","unsubscribeTitle":"Cancelar inscrição","unsubscribeAsk":["Quer sair da lista “",["list"],"”?"],"unsubscribeAllAsk":["Não quer mais receber novidades de ",["company"],"?"],"unsubscribe":"Cancelar inscrição","unsubscribeAll":"Cancelar tudo","unsubscribedTitle":"Inscrição cancelada","unsubscribedText":[["company"]," não enviará mais estes e-mails a você."],"preferences":"Escolher o que recebe","website":["Ir para o site de ",["company"]],"preferencesTitle":"O que você recebe","preferencesAsk":["E-mails para ",["email"],":"],"noLists":"Não há listas para escolher.","save":"Salvar","savedTitle":"Salvo","savedText":"A sua escolha vale a partir de agora.","back":"Mudar outra vez","noLetters":"Ainda não foi enviado nada.","older":"Mais antigos","feed":"Feed"},"mails":{"goneTitle":"Este e-mail não existe","gone":"Foi apagado, ou o link está incompleto.","brokenLinkTitle":"Este link não funciona","brokenLink":"Ele é inválido, ou não existe mais."},"approve":{"title":"O que seus agentes fariam","ask":["Em ",["workspace"],", para ",["email"],". Nada disso acontece sem o seu sim."],"to":["Para ",["address"]],"by":["Escrito por ",["agent"]],"answers":"Responde a este e-mail, escrito por alguém de fora:","call":"A chamada, exatamente:","tick":"Sim, exatamente isto","changed":"Mudou desde que foi enviado a você: decida no painel.","approvedBy":["Aprovado por ",["person"],"."],"refusedBy":["Recusado por ",["person"],"."],"withdrawn":"O agente retirou isto.","gone":"Não existe mais.","approve":"Aprovar o que está marcado","refuse":"Recusar tudo","nothing":"Nada está marcado: marque o que você aprova.","stop":"Não me enviar mais esses e-mails","stoppedTitle":"Sem mais e-mails desses","stopped":["Você não recebe mais e-mails sobre o que espera em ",["workspace"],". A lista está no painel."],"doneTitle":"Decidido","approved":"Aprovado: está a caminho.","refused":"Recusado: não vai acontecer.","notDone":["Não feito: ",["reason"]],"dashboard":"Ir para o painel","closedTitle":"Este link não funciona mais","closed":"Ele foi usado, tem mais de 24 horas, ou agora você decide no painel."}},
}

export type SignInWords = {
  consent: {
    /** Connect “{client}”? */
    title: (client: string | number) => string
    /** The program chose this name itself, and nobody has checked it. Allow this only if you have just begun it there. */
    unverified: string
    /** The program says who it is at {host}. */
    published: (host: string | number) => string
    /** Then you are sent to {host}. */
    sentBack: (host: string | number) => string
    /** Then you are sent to a program on your own device ({host}), as which any program there can pass. */
    sentToDevice: (host: string | number) => string
    /** You are signed in as {email}. */
    signedInAs: (email: string | number) => string
    /** Workspace */
    workspace: string
    /** Mailbox */
    mailbox: string
    /** {mailbox} of {workspace} */
    mailboxOf: (values: { mailbox: string | number; workspace: string | number }) => string
    /** {name} (you are a viewer) */
    asViewer: (name: string | number) => string
    /** Where you are a viewer, you can allow a program to read, and no more. */
    tooMuch: string
    /** What it may do there */
    may: string
    /** always part of it */
    always: string
    workspaceScopes: {
      /** Read: campaigns and figures, who was sent what and what became of it, contacts and all that happened with them, lists, templates, sequences, domains, the addresses of mailboxes, what needs attention. No mail that you received. */
      read: string
      /** Prepare and change: templates, drafts of campaigns, sequences and segments. It can also delete templates. */
      write: string
      /** Send: start campaigns, which go to whole lists and cannot be recalled. */
      send: string
    }
    mailboxScopes: {
      /** Read all mail that this mailbox received. It opens no other mailbox. */
      read: string
      /** Reply to the sender of a mail, from this address, at most 20 times an hour. */
      reply: string
    }
    /** You are not a member of any workspace here. */
    noWorkspace: string
    /** There is no mailbox in your workspaces that it could open. */
    noMailbox: string
    /** It may do this until you revoke it in the dashboard, at Agents, or lose your own right to it. */
    ends: string
    /** Allow */
    allow: string
    /** Do not allow */
    deny: string
    /** This program cannot be connected */
    refusedTitle: string
    /** Nothing was allowed. Begin again in the program, or tell whoever makes it what stands above. */
    refusedHow: string
  }
  invitation: {
    /** You are invited to be {role, select, viewer {a viewer} member {a member} other {an owner}} of this workspace, as {email}. */
    invited: (values: { role: string; email: string | number }) => string
    /** Join {workspace} */
    title: (workspace: string | number) => string
    /** You are signed in as {email}. The invitation is for another address: sign out to go on as {invited}. */
    otherAccount: (values: { email: string | number; invited: string | number }) => string
    /** Sign out */
    signOut: string
    /** Join */
    join: string
    /** This address has an account: {signIn}, then you come back here. */
    hasAccount: (signIn: string | number) => string
    /** sign in */
    signIn: string
    /** Your name */
    name: string
    /** Make an account and join */
    makeAccount: string
    /** This invitation no longer works */
    closedTitle: string
    /** It was used already, was revoked, or is older than seven days. Ask who invited you for a new one. Who has an account {signsIn}. */
    closed: (signsIn: string | number) => string
    /** signs in here */
    signsIn: string
  }
  login: {
    /** Sign in to Paquebot */
    title: string
    /** E-mail address */
    email: string
    /** Password */
    password: string
    /** Password, at least 8 characters */
    newPassword: string
    /** Sign in */
    signIn: string
    /** Sign in with a passkey */
    withPasskey: string
    /** Sign in with {provider} */
    withProvider: (provider: string | number) => string
    /** No password, or forgotten? On the server, {link} prints a link that signs you in once; {password} sets a new one. */
    forgotten: (values: { link: string | number; password: string | number }) => string
    /** One more step */
    codeTitle: string
    /** Code of your authenticator app, or a recovery code */
    code: string
    /** Lost both? On the server, {command}. */
    lostBoth: (command: string | number) => string
    /** This link works once. */
    onceOnly: string
    /** This link no longer works */
    closedTitle: string
    /** It was already used or is older than a day. {signIn}, or make a new link on the command line: */
    closed: (signIn: string | number) => string
    /** Sign in with your password */
    byPassword: string
    /** You are not signed in */
    refusedTitle: string
    /** Sign in another way, or try again */
    anotherWay: string
    /** {provider} cannot be reached, or gave an invalid answer. */
    unreachable: (provider: string | number) => string
    /** Whoever runs this installation finds the reason in the log. */
    inTheLog: string
  }
  otherSite: {
    /** This request came from another site */
    title: string
    /** This installation signs people in at {address} only, and this came from {site}. Nothing was done; the link above still works. */
    cameFrom: (values: { address: string | number; site: string | number }) => string
    /** This installation signs people in at {address} only, and this came from a page that does not say where it is. Nothing was done; the link above still works. */
    hidden: (address: string | number) => string
    /** If {site} is where you reach this installation, start it with {setting}. */
    reachedThere: (values: { site: string | number; setting: string | number }) => string
    /** If you did not mean to sign in, another site asked for it: close this page. */
    notMeant: string
  }
  passkeys: {
    /** Your passkeys */
    title: string
    /** A passkey signs you in without a password and without a code: your device asks for your finger, your face or its PIN instead. */
    how: string
    /** There can be no passkeys here. */
    none: string
    /** Back to the dashboard */
    toDashboard: string
    /** Name of the passkey */
    nameOf: string
    /** Rename */
    rename: string
    /** Rename {name} */
    renameOne: (name: string | number) => string
    /** Remove */
    remove: string
    /** Remove {name} */
    removeOne: (name: string | number) => string
    /** Added {day}, not used yet */
    unused: (day: string | number) => string
    /** Added {day}, last used {last} */
    used: (values: { day: string | number; last: string | number }) => string
    /** Added {day}, not used yet, copied to your other devices */
    unusedCopied: (day: string | number) => string
    /** Added {day}, last used {last}, copied to your other devices */
    usedCopied: (values: { day: string | number; last: string | number }) => string
    /** Add one */
    addTitle: string
    /** Name, for you to know it again */
    name: string
    /** Passkey */
    firstName: string
    /** Your password */
    yourPassword: string
    /** Add a passkey */
    add: string
    /** This needs a browser that knows passkeys, and script. */
    needsScript: string
    /** Nothing was done: it was cancelled, took too long, or there is no passkey for this address here. */
    notAllowed: string
    /** This device holds a passkey of yours already. */
    hasOne: string
    /** The server did not answer. Try again. */
    noAnswer: string
  }
  setUp: {
    /** Welcome to Paquebot */
    title: string
    /** Create the first account of this installation. */
    how: string
    /** Create the account */
    create: string
    /** This link no longer works */
    closedTitle: string
    /** This link was already used, or the server was restarted and printed a newer one. Who has an account {signsIn}. */
    closed: (signsIn: string | number) => string
    /** signs in here */
    signsIn: string
  }
}

export const signInMessages: Record<string, MessagesOf<SignInWords>> = {
  'en': {"consent":{"title":["Connect “",["client"],"”?"],"unverified":"The program chose this name itself, and nobody has checked it. Allow this only if you have just begun it there.","published":["The program says who it is at ",["host"],"."],"sentBack":["Then you are sent to ",["host"],"."],"sentToDevice":["Then you are sent to a program on your own device (",["host"],"), as which any program there can pass."],"signedInAs":["You are signed in as ",["email"],"."],"workspace":"Workspace","mailbox":"Mailbox","mailboxOf":[["mailbox"]," of ",["workspace"]],"asViewer":[["name"]," (you are a viewer)"],"tooMuch":"Where you are a viewer, you can allow a program to read, and no more.","may":"What it may do there","always":"always part of it","workspaceScopes":{"read":"Read: campaigns and figures, who was sent what and what became of it, contacts and all that happened with them, lists, templates, sequences, domains, the addresses of mailboxes, what needs attention. No mail that you received.","write":"Prepare and change: templates, drafts of campaigns, sequences and segments. It can also delete templates.","send":"Send: start campaigns, which go to whole lists and cannot be recalled."},"mailboxScopes":{"read":"Read all mail that this mailbox received. It opens no other mailbox.","reply":"Reply to the sender of a mail, from this address, at most 20 times an hour."},"noWorkspace":"You are not a member of any workspace here.","noMailbox":"There is no mailbox in your workspaces that it could open.","ends":"It may do this until you revoke it in the dashboard, at Agents, or lose your own right to it.","allow":"Allow","deny":"Do not allow","refusedTitle":"This program cannot be connected","refusedHow":"Nothing was allowed. Begin again in the program, or tell whoever makes it what stands above."},"invitation":{"invited":["You are invited to be ",["role","select",{"viewer":["a viewer"],"member":["a member"],"other":["an owner"]}]," of this workspace, as ",["email"],"."],"title":["Join ",["workspace"]],"otherAccount":["You are signed in as ",["email"],". The invitation is for another address: sign out to go on as ",["invited"],"."],"signOut":"Sign out","join":"Join","hasAccount":["This address has an account: ",["signIn"],", then you come back here."],"signIn":"sign in","name":"Your name","makeAccount":"Make an account and join","closedTitle":"This invitation no longer works","closed":["It was used already, was revoked, or is older than seven days. Ask who invited you for a new one. Who has an account ",["signsIn"],"."],"signsIn":"signs in here"},"login":{"title":"Sign in to Paquebot","email":"E-mail address","password":"Password","newPassword":"Password, at least 8 characters","signIn":"Sign in","withPasskey":"Sign in with a passkey","withProvider":["Sign in with ",["provider"]],"forgotten":["No password, or forgotten? On the server, ",["link"]," prints a link that signs you in once; ",["password"]," sets a new one."],"codeTitle":"One more step","code":"Code of your authenticator app, or a recovery code","lostBoth":["Lost both? On the server, ",["command"],"."],"onceOnly":"This link works once.","closedTitle":"This link no longer works","closed":["It was already used or is older than a day. ",["signIn"],", or make a new link on the command line:"],"byPassword":"Sign in with your password","refusedTitle":"You are not signed in","anotherWay":"Sign in another way, or try again","unreachable":[["provider"]," cannot be reached, or gave an invalid answer."],"inTheLog":"Whoever runs this installation finds the reason in the log."},"otherSite":{"title":"This request came from another site","cameFrom":["This installation signs people in at ",["address"]," only, and this came from ",["site"],". Nothing was done; the link above still works."],"hidden":["This installation signs people in at ",["address"]," only, and this came from a page that does not say where it is. Nothing was done; the link above still works."],"reachedThere":["If ",["site"]," is where you reach this installation, start it with ",["setting"],"."],"notMeant":"If you did not mean to sign in, another site asked for it: close this page."},"passkeys":{"title":"Your passkeys","how":"A passkey signs you in without a password and without a code: your device asks for your finger, your face or its PIN instead.","none":"There can be no passkeys here.","toDashboard":"Back to the dashboard","nameOf":"Name of the passkey","rename":"Rename","renameOne":["Rename ",["name"]],"remove":"Remove","removeOne":["Remove ",["name"]],"unused":["Added ",["day"],", not used yet"],"used":["Added ",["day"],", last used ",["last"]],"unusedCopied":["Added ",["day"],", not used yet, copied to your other devices"],"usedCopied":["Added ",["day"],", last used ",["last"],", copied to your other devices"],"addTitle":"Add one","name":"Name, for you to know it again","firstName":"Passkey","yourPassword":"Your password","add":"Add a passkey","needsScript":"This needs a browser that knows passkeys, and script.","notAllowed":"Nothing was done: it was cancelled, took too long, or there is no passkey for this address here.","hasOne":"This device holds a passkey of yours already.","noAnswer":"The server did not answer. Try again."},"setUp":{"title":"Welcome to Paquebot","how":"Create the first account of this installation.","create":"Create the account","closedTitle":"This link no longer works","closed":["This link was already used, or the server was restarted and printed a newer one. Who has an account ",["signsIn"],"."],"signsIn":"signs in here"}},
  'ar': {"consent":{"title":["هل تريد ربط «",["client"],"»؟"],"unverified":"اختار البرنامج هذا الاسم بنفسه، ولم يتحقق منه أحد. لا تسمح بذلك إلا إذا كنت قد بدأت الربط منه للتو.","published":["يعرّف البرنامج بنفسه على ",["host"],"."],"sentBack":["ثم يُعاد توجيهك إلى ",["host"],"."],"sentToDevice":["ثم يُعاد توجيهك إلى برنامج على جهازك (",["host"],")، ويمكن لأي برنامج آخر على الجهاز أن ينتحل صفته."],"signedInAs":["أنت مسجَّل الدخول بالعنوان ",["email"],"."],"workspace":"مساحة العمل","mailbox":"صندوق البريد","mailboxOf":[["mailbox"]," في ",["workspace"]],"asViewer":[["name"]," (دورك: مطّلع)"],"tooMuch":"حيث يكون دورك «مطّلع»، يمكنك السماح للبرنامج بالقراءة فقط.","may":"ما يُسمح له به هناك","always":"مشمول دائمًا","workspaceScopes":{"read":"القراءة: الحملات والأرقام، وما أُرسل ولمن وما آل إليه، وجهات الاتصال وكل ما جرى معها، والقوائم، والقوالب، والتسلسلات، والنطاقات، وعناوين صناديق البريد، وما يحتاج إلى انتباه. دون أي بريد وارد.","write":"الإعداد والتغيير: القوالب، ومسودات الحملات، والتسلسلات، والشرائح. ويمكنه أيضًا حذف القوالب.","send":"الإرسال: بدء الحملات، وهي تُرسل إلى قوائم كاملة ولا يمكن استرجاعها."},"mailboxScopes":{"read":"قراءة كل البريد الذي تلقّاه هذا الصندوق. ولا يتيح أي صندوق بريد آخر.","reply":"الرد على مرسل الرسالة من هذا العنوان، 20 مرة في الساعة كحد أقصى."},"noWorkspace":"لست عضوًا في أي مساحة عمل هنا.","noMailbox":"لا يوجد في مساحات عملك صندوق بريد يمكنه الوصول إليه.","ends":"يبقى ذلك مسموحًا له إلى أن تلغيه في لوحة التحكم، ضمن «الوكلاء»، أو تفقد أنت هذا الحق.","allow":"السماح","deny":"عدم السماح","refusedTitle":"لا يمكن ربط هذا البرنامج","refusedHow":"لم يُسمح بشيء. ابدأ من جديد في البرنامج، أو أبلغ مطوّره بما ورد أعلاه."},"invitation":{"invited":["أنت مدعو إلى مساحة العمل هذه بدور ",["role","select",{"viewer":["مطّلع"],"member":["عضو"],"other":["مالك"]}],"، بالعنوان ",["email"],"."],"title":["الانضمام إلى ",["workspace"]],"otherAccount":["أنت مسجَّل الدخول بالعنوان ",["email"],". والدعوة لعنوان آخر: سجّل الخروج للمتابعة بالعنوان ",["invited"],"."],"signOut":"تسجيل الخروج","join":"انضمام","hasAccount":["لهذا العنوان حساب: ",["signIn"],"، ثم تعود إلى هنا."],"signIn":"سجّل الدخول","name":"اسمك","makeAccount":"إنشاء حساب والانضمام","closedTitle":"لم تعد هذه الدعوة صالحة","closed":["استُخدمت من قبل، أو أُلغيت، أو مضى عليها أكثر من سبعة أيام. اطلب دعوة جديدة ممن دعاك. ومن لديه حساب ",["signsIn"],"."],"signsIn":"يسجّل الدخول هنا"},"login":{"title":"تسجيل الدخول إلى Paquebot","email":"البريد الإلكتروني","password":"كلمة المرور","newPassword":"كلمة المرور، 8 أحرف على الأقل","signIn":"تسجيل الدخول","withPasskey":"الدخول بمفتاح مرور","withProvider":["الدخول عبر ",["provider"]],"forgotten":["بلا كلمة مرور أو نسيتها؟ على الخادم، يطبع ",["link"]," رابطًا يسجّل دخولك مرة واحدة؛ ويضبط ",["password"]," كلمة مرور جديدة."],"codeTitle":"خطوة أخيرة","code":"رمز تطبيق المصادقة، أو رمز استرداد","lostBoth":["فقدت الاثنين؟ على الخادم، ",["command"],"."],"onceOnly":"يعمل هذا الرابط مرة واحدة.","closedTitle":"لم يعد هذا الرابط يعمل","closed":["استُخدم من قبل أو مضى عليه أكثر من يوم. ",["signIn"],"، أو أنشئ رابطًا جديدًا من سطر الأوامر:"],"byPassword":"سجّل الدخول بكلمة مرورك","refusedTitle":"لم يتم تسجيل دخولك","anotherWay":"سجّل الدخول بطريقة أخرى، أو حاول مجددًا","unreachable":["تعذّر الوصول إلى ",["provider"],"، أو أعطى ردًا غير صالح."],"inTheLog":"يجد القائم على هذا التثبيت السبب في السجل."},"otherSite":{"title":"جاء هذا الطلب من موقع آخر","cameFrom":["لا يسجّل هذا التثبيت الدخول إلا على ",["address"],"، وقد جاء هذا من ",["site"],". لم يُنفَّذ شيء؛ وما زال الرابط أعلاه يعمل."],"hidden":["لا يسجّل هذا التثبيت الدخول إلا على ",["address"],"، وقد جاء هذا من صفحة لا تبيّن مكانها. لم يُنفَّذ شيء؛ وما زال الرابط أعلاه يعمل."],"reachedThere":["إذا كنت تصل إلى هذا التثبيت عبر ",["site"],"، فشغّله مع ",["setting"],"."],"notMeant":"إذا لم تكن تقصد تسجيل الدخول، فقد طلبه موقع آخر: أغلق هذه الصفحة."},"passkeys":{"title":"مفاتيح المرور لديك","how":"يسجّل مفتاح المرور دخولك بلا كلمة مرور ولا رمز: يطلب جهازك بدلًا منهما بصمة إصبعك أو وجهك أو رقم PIN.","none":"لا يمكن استخدام مفاتيح المرور هنا.","toDashboard":"العودة إلى لوحة التحكم","nameOf":"اسم مفتاح المرور","rename":"إعادة تسمية","renameOne":["إعادة تسمية ",["name"]],"remove":"إزالة","removeOne":["إزالة ",["name"]],"unused":["أُضيف ",["day"],"، ولم يُستخدم بعد"],"used":["أُضيف ",["day"],"، وآخر استخدام ",["last"]],"unusedCopied":["أُضيف ",["day"],"، ولم يُستخدم بعد، ومنسوخ إلى أجهزتك الأخرى"],"usedCopied":["أُضيف ",["day"],"، وآخر استخدام ",["last"],"، ومنسوخ إلى أجهزتك الأخرى"],"addTitle":"إضافة مفتاح","name":"الاسم، لتعرفه لاحقًا","firstName":"مفتاح مرور","yourPassword":"كلمة مرورك","add":"إضافة مفتاح مرور","needsScript":"يتطلب هذا متصفحًا يدعم مفاتيح المرور والنصوص البرمجية.","notAllowed":"لم يُنفَّذ شيء: أُلغي الأمر، أو استغرق وقتًا طويلًا، أو لا يوجد هنا مفتاح مرور لهذا العنوان.","hasOne":"لديك مفتاح مرور على هذا الجهاز بالفعل.","noAnswer":"لم يستجب الخادم. حاول مجددًا."},"setUp":{"title":"مرحبًا بك في Paquebot","how":"أنشئ أول حساب في هذا التثبيت.","create":"إنشاء الحساب","closedTitle":"لم يعد هذا الرابط يعمل","closed":["استُخدم هذا الرابط من قبل، أو أُعيد تشغيل الخادم وطبع رابطًا أحدث. ومن لديه حساب ",["signsIn"],"."],"signsIn":"يسجّل الدخول هنا"}},
  'de': {"consent":{"title":["„",["client"],"“ verbinden?"],"unverified":"Diesen Namen hat sich das Programm selbst gegeben, niemand hat ihn geprüft. Erlaube das nur, wenn du es eben dort begonnen hast.","published":["Wer es ist, sagt das Programm unter ",["host"],"."],"sentBack":["Danach geht es weiter zu ",["host"],"."],"sentToDevice":["Danach geht es weiter zu einem Programm auf deinem eigenen Gerät (",["host"],"); dafür kann sich jedes ausgeben, das dort läuft."],"signedInAs":["Du bist angemeldet als ",["email"],"."],"workspace":"Arbeitsbereich","mailbox":"Postfach","mailboxOf":[["mailbox"]," von ",["workspace"]],"asViewer":[["name"]," (nur lesen)"],"tooMuch":"Wo du nur lesen darfst, kannst du einem Programm nur das Lesen erlauben.","may":"Was es dort darf","always":"gehört immer dazu","workspaceScopes":{"read":"Lesen: Kampagnen und Zahlen, wer was bekommen hat und was daraus wurde, Kontakte und alles, was mit ihnen geschah, Listen, Vorlagen, Abläufe, Domains, die Adressen der Postfächer, was Aufmerksamkeit braucht. Keine Mails, die bei Ihnen eingingen.","write":"Vorbereiten und ändern: Vorlagen, Entwürfe von Kampagnen, Abläufe und Segmente. Vorlagen kann es auch löschen.","send":"Senden: Kampagnen beginnen, die an ganze Listen gehen und nicht zurückzuholen sind."},"mailboxScopes":{"read":"Alle Mails lesen, die dieses Postfach bekommen hat. Ein anderes Postfach öffnet es nicht.","reply":"Dem Absender einer Mail antworten, von dieser Adresse, höchstens 20 Mal in der Stunde."},"noWorkspace":"Du gehörst hier zu keinem Arbeitsbereich.","noMailbox":"In deinen Arbeitsbereichen gibt es kein Postfach, das es öffnen könnte.","ends":"Das gilt, bis du es im Dashboard unter Agenten widerrufst oder selbst das Recht dazu verlierst.","allow":"Erlauben","deny":"Nicht erlauben","refusedTitle":"Dieses Programm kann nicht verbunden werden","refusedHow":"Nichts wurde erlaubt. Beginne im Programm noch einmal, oder sag denen, die es machen, was hier steht."},"invitation":{"invited":["Du bist als ",["email"]," in diesen Arbeitsbereich eingeladen, ",["role","select",{"viewer":["um nur zu lesen"],"member":["als Mitglied"],"other":["als Leitung"]}],"."],"title":[["workspace"]," beitreten"],"otherAccount":["Du bist als ",["email"]," angemeldet. Die Einladung ist für eine andere Adresse: melde dich ab, um als ",["invited"]," weiterzumachen."],"signOut":"Abmelden","join":"Beitreten","hasAccount":["Diese Adresse hat ein Konto: ",["signIn"],", dann kommst du hierher zurück."],"signIn":"melde dich an","name":"Dein Name","makeAccount":"Konto anlegen und beitreten","closedTitle":"Diese Einladung gilt nicht mehr","closed":["Sie wurde schon benutzt oder zurückgenommen, oder sie ist älter als sieben Tage. Bitte um eine neue, wer dich eingeladen hat. Wer ein Konto hat, ",["signsIn"],"."],"signsIn":"meldet sich hier an"},"login":{"title":"Bei Paquebot anmelden","email":"E-Mail-Adresse","password":"Passwort","newPassword":"Passwort, mindestens 8 Zeichen","signIn":"Anmelden","withPasskey":"Mit einem Passkey anmelden","withProvider":["Mit ",["provider"]," anmelden"],"forgotten":["Kein Passwort, oder vergessen? Auf dem Server schreibt ",["link"]," einen Link, der dich einmal anmeldet; ",["password"]," setzt ein neues."],"codeTitle":"Noch ein Schritt","code":"Code deiner Authenticator-App, oder ein Wiederherstellungscode","lostBoth":["Beides verloren? Auf dem Server: ",["command"],"."],"onceOnly":"Dieser Link gilt einmal.","closedTitle":"Dieser Link gilt nicht mehr","closed":["Er wurde schon benutzt oder ist älter als ein Tag. ",["signIn"],", oder mach auf der Kommandozeile einen neuen Link:"],"byPassword":"Melde dich mit deinem Passwort an","refusedTitle":"Du bist nicht angemeldet","anotherWay":"Anders anmelden, oder noch einmal versuchen","unreachable":[["provider"]," ist nicht zu erreichen oder gab eine ungültige Antwort."],"inTheLog":"Wer diese Installation betreibt, findet den Grund im Log."},"otherSite":{"title":"Diese Anfrage kam von einer anderen Website","cameFrom":["Diese Installation meldet Menschen nur auf ",["address"]," an, und dies kam von ",["site"],". Es ist nichts geschehen; der Link oben gilt noch."],"hidden":["Diese Installation meldet Menschen nur auf ",["address"]," an, und dies kam von einer Seite, die nicht sagt, wo sie ist. Es ist nichts geschehen; der Link oben gilt noch."],"reachedThere":["Wenn du diese Installation auf ",["site"]," erreichst, starte sie mit ",["setting"],"."],"notMeant":"Wenn du dich nicht anmelden wolltest, hat eine andere Website darum gebeten: schließ diese Seite."},"passkeys":{"title":"Deine Passkeys","how":"Ein Passkey meldet dich ohne Passwort und ohne Code an: stattdessen fragt dein Gerät nach Finger, Gesicht oder seiner PIN.","none":"Hier kann es keine Passkeys geben.","toDashboard":"Zurück zum Dashboard","nameOf":"Name des Passkeys","rename":"Umbenennen","renameOne":[["name"]," umbenennen"],"remove":"Entfernen","removeOne":[["name"]," entfernen"],"unused":["Angelegt ",["day"],", noch nicht benutzt"],"used":["Angelegt ",["day"],", zuletzt benutzt ",["last"]],"unusedCopied":["Angelegt ",["day"],", noch nicht benutzt, auf deine anderen Geräte kopiert"],"usedCopied":["Angelegt ",["day"],", zuletzt benutzt ",["last"],", auf deine anderen Geräte kopiert"],"addTitle":"Einen hinzufügen","name":"Name, an dem du ihn wiedererkennst","firstName":"Passkey","yourPassword":"Dein Passwort","add":"Passkey hinzufügen","needsScript":"Das braucht einen Browser, der Passkeys kennt, und Skripte.","notAllowed":"Es ist nichts geschehen: es wurde abgebrochen, dauerte zu lange, oder hier gibt es keinen Passkey für diese Adresse.","hasOne":"Dieses Gerät hat schon einen Passkey von dir.","noAnswer":"Der Server antwortete nicht. Versuch es noch einmal."},"setUp":{"title":"Willkommen bei Paquebot","how":"Leg das erste Konto dieser Installation an.","create":"Konto anlegen","closedTitle":"Dieser Link gilt nicht mehr","closed":["Dieser Link wurde schon benutzt, oder der Server wurde neu gestartet und schrieb einen neueren. Wer ein Konto hat, ",["signsIn"],"."],"signsIn":"meldet sich hier an"}},
  'es': {"consent":{"title":["¿Conectar «",["client"],"»?"],"unverified":"El propio programa eligió este nombre y nadie lo ha comprobado. Permítelo solo si acabas de iniciar esta conexión en él.","published":["El programa dice quién es en ",["host"],"."],"sentBack":["Después se te enviará a ",["host"],"."],"sentToDevice":["Después se te enviará a un programa de tu propio dispositivo (",["host"],"), por el que puede hacerse pasar cualquier otro programa que haya en él."],"signedInAs":["Has iniciado sesión como ",["email"],"."],"workspace":"Espacio de trabajo","mailbox":"Buzón","mailboxOf":[["mailbox"]," de ",["workspace"]],"asViewer":[["name"]," (tu rol: lector)"],"tooMuch":"Donde tu rol es lector, puedes permitir que un programa lea, y nada más.","may":"Qué puede hacer allí","always":"siempre incluido","workspaceScopes":{"read":"Leer: las campañas y las cifras, qué se envió a quién y con qué resultado, los contactos y todo lo que ocurrió con ellos, las listas, las plantillas, las secuencias, los dominios, las direcciones de los buzones y lo que requiere atención. Ningún correo recibido.","write":"Preparar y modificar: plantillas, borradores de campañas, secuencias y segmentos. También puede eliminar plantillas.","send":"Enviar: iniciar campañas, que van a listas enteras y no se pueden retirar una vez enviadas."},"mailboxScopes":{"read":"Leer todo el correo que ha recibido este buzón. No da acceso a ningún otro buzón.","reply":"Responder al remitente de un correo, desde esta dirección, como máximo 20 veces por hora."},"noWorkspace":"Aquí no eres miembro de ningún espacio de trabajo.","noMailbox":"En tus espacios de trabajo no hay ningún buzón al que pueda acceder.","ends":"Podrá hacerlo hasta que lo revoques en el panel, en Agentes, o hasta que tú pierdas ese derecho.","allow":"Permitir","deny":"No permitir","refusedTitle":"No se puede conectar este programa","refusedHow":"No se ha permitido nada. Vuelve a empezar en el programa o comunica a quien lo desarrolla lo que se indica arriba."},"invitation":{"invited":["Tienes una invitación a este espacio de trabajo, con el rol de ",["role","select",{"viewer":["lector"],"member":["miembro"],"other":["propietario"]}],", como ",["email"],"."],"title":["Unirse a ",["workspace"]],"otherAccount":["Has iniciado sesión como ",["email"],". La invitación es para otra dirección: cierra la sesión para continuar como ",["invited"],"."],"signOut":"Cerrar sesión","join":"Unirse","hasAccount":["Esta dirección tiene una cuenta: ",["signIn"]," y después vuelves aquí."],"signIn":"inicia sesión","name":"Tu nombre","makeAccount":"Crear una cuenta y unirse","closedTitle":"Esta invitación ya no funciona","closed":["Ya se usó, se revocó o tiene más de siete días. Pide una nueva a quien te invitó. Quien tiene una cuenta ",["signsIn"],"."],"signsIn":"inicia sesión aquí"},"login":{"title":"Iniciar sesión en Paquebot","email":"Correo electrónico","password":"Contraseña","newPassword":"Contraseña, de al menos 8 caracteres","signIn":"Iniciar sesión","withPasskey":"Iniciar sesión con una passkey","withProvider":["Iniciar sesión con ",["provider"]],"forgotten":["¿No tienes contraseña o la has olvidado? En el servidor, ",["link"]," muestra un enlace que inicia tu sesión una vez; ",["password"]," define una nueva."],"codeTitle":"Un paso más","code":"Código de tu aplicación de autenticación, o un código de recuperación","lostBoth":["¿Has perdido ambos? En el servidor, ",["command"],"."],"onceOnly":"Este enlace funciona una sola vez.","closedTitle":"Este enlace ya no funciona","closed":["Ya se usó o tiene más de un día. ",["signIn"],", o crea un enlace nuevo en la línea de comandos:"],"byPassword":"Inicia sesión con tu contraseña","refusedTitle":"No has iniciado sesión","anotherWay":"Inicia sesión de otra forma o inténtalo de nuevo","unreachable":["No se puede contactar con ",["provider"],", o dio una respuesta no válida."],"inTheLog":"Quien gestiona esta instalación encontrará el motivo en el registro."},"otherSite":{"title":"Esta solicitud vino de otro sitio","cameFrom":["En esta instalación solo se inicia sesión en ",["address"],", y esto vino de ",["site"],". No se ha hecho nada; el enlace de arriba sigue funcionando."],"hidden":["En esta instalación solo se inicia sesión en ",["address"],", y esto vino de una página que no dice dónde está. No se ha hecho nada; el enlace de arriba sigue funcionando."],"reachedThere":["Si accedes a esta instalación en ",["site"],", iníciala con ",["setting"],"."],"notMeant":"Si no querías iniciar sesión, lo pidió otro sitio: cierra esta página."},"passkeys":{"title":"Tus passkeys","how":"Una passkey inicia tu sesión sin contraseña ni código: tu dispositivo pide tu dedo, tu cara o su PIN.","none":"Aquí no puede haber passkeys.","toDashboard":"Volver al panel","nameOf":"Nombre de la passkey","rename":"Renombrar","renameOne":["Renombrar ",["name"]],"remove":"Quitar","removeOne":["Quitar ",["name"]],"unused":["Añadida ",["day"],", aún sin usar"],"used":["Añadida ",["day"],", último uso ",["last"]],"unusedCopied":["Añadida ",["day"],", aún sin usar, copiada en tus otros dispositivos"],"usedCopied":["Añadida ",["day"],", último uso ",["last"],", copiada en tus otros dispositivos"],"addTitle":"Añadir una","name":"Nombre, para que la reconozcas","firstName":"Passkey","yourPassword":"Tu contraseña","add":"Añadir una passkey","needsScript":"Esto necesita un navegador que admita passkeys, y scripts.","notAllowed":"No se ha hecho nada: se canceló, tardó demasiado o aquí no hay ninguna passkey para esta dirección.","hasOne":"Este dispositivo ya tiene una passkey tuya.","noAnswer":"El servidor no respondió. Inténtalo de nuevo."},"setUp":{"title":"Te damos la bienvenida a Paquebot","how":"Crea la primera cuenta de esta instalación.","create":"Crear la cuenta","closedTitle":"Este enlace ya no funciona","closed":["Este enlace ya se usó, o el servidor se reinició y mostró uno más nuevo. Quien tiene una cuenta ",["signsIn"],"."],"signsIn":"inicia sesión aquí"}},
  'fr': {"consent":{"title":["Connecter « ",["client"]," » ?"],"unverified":"Le programme a choisi ce nom lui-même, et personne ne l’a vérifié. N’autorisez que si vous venez de le lancer là-bas.","published":["Le programme dit qui il est sur ",["host"],"."],"sentBack":["Vous êtes ensuite renvoyé vers ",["host"],"."],"sentToDevice":["Vous êtes ensuite renvoyé vers un programme sur votre propre appareil (",["host"],"), pour lequel tout programme qui y tourne peut se faire passer."],"signedInAs":["Vous êtes connecté en tant que ",["email"],"."],"workspace":"Espace de travail","mailbox":"Boîte e-mail","mailboxOf":[["mailbox"]," de ",["workspace"]],"asViewer":[["name"]," (vous êtes lecteur)"],"tooMuch":"Là où vous êtes lecteur, vous ne pouvez autoriser un programme qu’à lire.","may":"Ce qu’il peut y faire","always":"toujours inclus","workspaceScopes":{"read":"Lire : les campagnes et les chiffres, ce qui a été envoyé, à qui et avec quel résultat, les contacts et tout ce qui s’est passé avec eux, les listes, les modèles, les séquences, les domaines, les adresses des boîtes e-mail, ce qui demande votre attention. Aucun e-mail reçu.","write":"Préparer et modifier : les modèles, les brouillons de campagnes, les séquences et les segments. Il peut aussi supprimer des modèles.","send":"Envoyer : lancer des campagnes, qui partent à des listes entières et ne peuvent être rappelées."},"mailboxScopes":{"read":"Lire tous les e-mails reçus par cette boîte. Il n’ouvre aucune autre boîte.","reply":"Répondre à l’expéditeur d’un e-mail, depuis cette adresse, au plus 20 fois par heure."},"noWorkspace":"Vous n’êtes membre d’aucun espace de travail ici.","noMailbox":"Vos espaces de travail n’ont aucune boîte e-mail qu’il pourrait ouvrir.","ends":"Il peut le faire jusqu’à ce que vous le révoquiez dans le tableau de bord, sous Agents, ou que vous perdiez vous-même ce droit.","allow":"Autoriser","deny":"Ne pas autoriser","refusedTitle":"Ce programme ne peut pas être connecté","refusedHow":"Rien n’a été autorisé. Recommencez dans le programme, ou dites à ses auteurs ce qui est écrit ci-dessus."},"invitation":{"invited":["Vous êtes invité à rejoindre cet espace de travail en tant que ",["email"],", avec le rôle : ",["role","select",{"viewer":["lecteur"],"member":["membre"],"other":["propriétaire"]}],"."],"title":["Rejoindre ",["workspace"]],"otherAccount":["Vous êtes connecté en tant que ",["email"],". L’invitation est destinée à une autre adresse : déconnectez-vous pour continuer en tant que ",["invited"],"."],"signOut":"Se déconnecter","join":"Rejoindre","hasAccount":["Cette adresse a un compte : ",["signIn"],", puis vous revenez ici."],"signIn":"connectez-vous","name":"Votre nom","makeAccount":"Créer un compte et rejoindre","closedTitle":"Cette invitation ne fonctionne plus","closed":["Elle a déjà été utilisée, a été révoquée ou date de plus de sept jours. Demandez-en une nouvelle à la personne qui vous a invité. Si vous avez un compte, ",["signsIn"],"."],"signsIn":"connectez-vous ici"},"login":{"title":"Se connecter à Paquebot","email":"Adresse e-mail","password":"Mot de passe","newPassword":"Mot de passe, 8 caractères au minimum","signIn":"Se connecter","withPasskey":"Se connecter avec une clé d’accès","withProvider":["Se connecter avec ",["provider"]],"forgotten":["Pas de mot de passe, ou oublié ? Sur le serveur, ",["link"]," affiche un lien qui vous connecte une fois ; ",["password"]," en définit un nouveau."],"codeTitle":"Encore une étape","code":"Code de votre application d’authentification, ou code de récupération","lostBoth":["Les deux sont perdus ? Sur le serveur, ",["command"],"."],"onceOnly":"Ce lien fonctionne une seule fois.","closedTitle":"Ce lien ne fonctionne plus","closed":["Il a déjà été utilisé ou date de plus d’un jour. ",["signIn"],", ou créez un nouveau lien en ligne de commande :"],"byPassword":"Connectez-vous avec votre mot de passe","refusedTitle":"Vous n’êtes pas connecté","anotherWay":"Connectez-vous autrement, ou réessayez","unreachable":[["provider"]," est injoignable, ou a donné une réponse non valide."],"inTheLog":"La personne qui gère cette installation en trouve la raison dans le journal."},"otherSite":{"title":"Cette requête vient d’un autre site","cameFrom":["Cette installation n’accepte les connexions qu’à l’adresse ",["address"],", et celle-ci vient de ",["site"],". Rien n’a été fait ; le lien ci-dessus fonctionne encore."],"hidden":["Cette installation n’accepte les connexions qu’à l’adresse ",["address"],", et celle-ci vient d’une page qui n’indique pas son origine. Rien n’a été fait ; le lien ci-dessus fonctionne encore."],"reachedThere":["Si vous accédez à cette installation à l’adresse ",["site"],", démarrez-la avec ",["setting"],"."],"notMeant":"Si vous ne vouliez pas vous connecter, un autre site l’a demandé : fermez cette page."},"passkeys":{"title":"Vos clés d’accès","how":"Une clé d’accès vous connecte sans mot de passe ni code : votre appareil demande à la place votre doigt, votre visage ou son code PIN.","none":"Les clés d’accès ne sont pas possibles ici.","toDashboard":"Retour au tableau de bord","nameOf":"Nom de la clé d’accès","rename":"Renommer","renameOne":["Renommer ",["name"]],"remove":"Retirer","removeOne":["Retirer ",["name"]],"unused":["Ajoutée le ",["day"],", pas encore utilisée"],"used":["Ajoutée le ",["day"],", dernière utilisation le ",["last"]],"unusedCopied":["Ajoutée le ",["day"],", pas encore utilisée, copiée sur vos autres appareils"],"usedCopied":["Ajoutée le ",["day"],", dernière utilisation le ",["last"],", copiée sur vos autres appareils"],"addTitle":"En ajouter une","name":"Nom, pour la reconnaître","firstName":"Clé d’accès","yourPassword":"Votre mot de passe","add":"Ajouter une clé d’accès","needsScript":"Il faut un navigateur compatible avec les clés d’accès, et les scripts activés.","notAllowed":"Rien n’a été fait : annulation, délai dépassé, ou aucune clé d’accès pour cette adresse ici.","hasOne":"Cet appareil contient déjà l’une de vos clés d’accès.","noAnswer":"Le serveur n’a pas répondu. Réessayez."},"setUp":{"title":"Bienvenue dans Paquebot","how":"Créez le premier compte de cette installation.","create":"Créer le compte","closedTitle":"Ce lien ne fonctionne plus","closed":["Ce lien a déjà été utilisé, ou le serveur a redémarré et en a affiché un plus récent. Si vous avez un compte, ",["signsIn"],"."],"signsIn":"connectez-vous ici"}},
  'pt-BR': {"consent":{"title":["Conectar “",["client"],"”?"],"unverified":"O próprio programa escolheu este nome, e ninguém o verificou. Permita somente se você acabou de iniciar esta conexão nele.","published":["O programa diz quem é em ",["host"],"."],"sentBack":["Depois você será enviado para ",["host"],"."],"sentToDevice":["Depois você será enviado para um programa no seu próprio dispositivo (",["host"],"), pelo qual qualquer outro programa nele pode se passar."],"signedInAs":["Você está conectado como ",["email"],"."],"workspace":"Espaço de trabalho","mailbox":"Caixa de correio","mailboxOf":[["mailbox"]," de ",["workspace"]],"asViewer":[["name"]," (sua função: leitor)"],"tooMuch":"Onde sua função é leitor, você pode permitir que um programa leia, e nada mais.","may":"O que ele pode fazer lá","always":"sempre incluído","workspaceScopes":{"read":"Ler: campanhas e números, o que foi enviado a quem e o que aconteceu com isso, contatos e tudo o que aconteceu com eles, listas, modelos, sequências, domínios, os endereços das caixas de correio e o que requer atenção. Nenhum e-mail recebido.","write":"Preparar e alterar: modelos, rascunhos de campanhas, sequências e segmentos. Ele também pode excluir modelos.","send":"Enviar: iniciar campanhas, que vão para listas inteiras e não podem ser recolhidas depois de enviadas."},"mailboxScopes":{"read":"Ler todos os e-mails que esta caixa de correio recebeu. Não dá acesso a nenhuma outra caixa de correio.","reply":"Responder ao remetente de um e-mail, a partir deste endereço, no máximo 20 vezes por hora."},"noWorkspace":"Você não é membro de nenhum espaço de trabalho aqui.","noMailbox":"Não há, nos seus espaços de trabalho, nenhuma caixa de correio que ele possa acessar.","ends":"Ele poderá fazer isso até que você o revogue no painel, em Agentes, ou perca você mesmo esse direito.","allow":"Permitir","deny":"Não permitir","refusedTitle":"Não é possível conectar este programa","refusedHow":"Nada foi permitido. Comece de novo no programa ou informe a quem o desenvolve o que está escrito acima."},"invitation":{"invited":["Você recebeu um convite para ser ",["role","select",{"viewer":["leitor"],"member":["membro"],"other":["proprietário"]}]," deste espaço de trabalho, como ",["email"],"."],"title":["Entrar em ",["workspace"]],"otherAccount":["Você está conectado como ",["email"],". O convite é para outro endereço: saia para continuar como ",["invited"],"."],"signOut":"Sair","join":"Participar","hasAccount":["Este endereço tem uma conta: ",["signIn"]," e depois volte aqui."],"signIn":"entre","name":"Seu nome","makeAccount":"Criar conta e participar","closedTitle":"Este convite não funciona mais","closed":["Já foi usado, foi revogado ou tem mais de sete dias. Peça um novo a quem convidou você. Quem tem uma conta ",["signsIn"],"."],"signsIn":"entra aqui"},"login":{"title":"Entrar no Paquebot","email":"Endereço de e-mail","password":"Senha","newPassword":"Senha, pelo menos 8 caracteres","signIn":"Entrar","withPasskey":"Entrar com uma chave de acesso","withProvider":["Entrar com ",["provider"]],"forgotten":["Sem senha, ou esqueceu? No servidor, ",["link"]," gera um link que permite entrar uma vez; ",["password"]," define uma nova."],"codeTitle":"Mais um passo","code":"Código do seu aplicativo autenticador ou um código de recuperação","lostBoth":["Perdeu os dois? No servidor, ",["command"],"."],"onceOnly":"Este link funciona uma vez.","closedTitle":"Este link não funciona mais","closed":["Já foi usado ou tem mais de um dia. ",["signIn"]," ou crie um novo link na linha de comando:"],"byPassword":"Entre com sua senha","refusedTitle":"Você não entrou","anotherWay":"Entre de outra forma ou tente de novo","unreachable":["Não foi possível contatar ",["provider"],", ou a resposta foi inválida."],"inTheLog":"Quem opera esta instalação encontra o motivo no log."},"otherSite":{"title":"Esta requisição veio de outro site","cameFrom":["Nesta instalação só se entra em ",["address"],", e isto veio de ",["site"],". Nada foi feito; o link acima ainda funciona."],"hidden":["Nesta instalação só se entra em ",["address"],", e isto veio de uma página que não diz onde está. Nada foi feito; o link acima ainda funciona."],"reachedThere":["Se é em ",["site"]," que você acessa esta instalação, inicie-a com ",["setting"],"."],"notMeant":"Se você não pretendia entrar, outro site pediu isso: feche esta página."},"passkeys":{"title":"Suas chaves de acesso","how":"Com uma chave de acesso você entra sem senha e sem código: seu dispositivo pede seu dedo, seu rosto ou o PIN dele.","none":"Não é possível ter chaves de acesso aqui.","toDashboard":"Voltar ao painel","nameOf":"Nome da chave de acesso","rename":"Renomear","renameOne":["Renomear ",["name"]],"remove":"Remover","removeOne":["Remover ",["name"]],"unused":["Adicionada em ",["day"],", ainda não usada"],"used":["Adicionada em ",["day"],", usada pela última vez em ",["last"]],"unusedCopied":["Adicionada em ",["day"],", ainda não usada, copiada para seus outros dispositivos"],"usedCopied":["Adicionada em ",["day"],", usada pela última vez em ",["last"],", copiada para seus outros dispositivos"],"addTitle":"Adicionar uma","name":"Nome, para você a reconhecer","firstName":"Chave de acesso","yourPassword":"Sua senha","add":"Adicionar chave de acesso","needsScript":"Isto requer um navegador compatível com chaves de acesso, com scripts ativados.","notAllowed":"Nada foi feito: foi cancelado, demorou demais ou não há chave de acesso para este endereço aqui.","hasOne":"Este dispositivo já tem uma chave de acesso sua.","noAnswer":"O servidor não respondeu. Tente de novo."},"setUp":{"title":"Boas-vindas ao Paquebot","how":"Crie a primeira conta desta instalação.","create":"Criar a conta","closedTitle":"Este link não funciona mais","closed":["Este link já foi usado, ou o servidor foi reiniciado e exibiu um mais novo. Quem tem uma conta ",["signsIn"],"."],"signsIn":"entra aqui"}},
}
