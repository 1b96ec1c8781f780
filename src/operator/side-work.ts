// What the Worker beside the main thread can do (kit/aside.ts): each work is defined by its feature, and listed here.

import { feedReading } from '../features/campaigns/recurring/parse-feed.ts'
import { contrastCheck, htmlInspection } from '../features/content/inspection/html-work.ts'
import { rewriting } from '../features/content/rendering/own-html/rewrite.ts'
import { mjmlCompiling, sourceWriting } from '../features/content/rendering/own-html/source-work.ts'
import { convertTemplate } from '../features/lists/moving/convert-template.ts'
import { byName } from '../kit/aside.ts'
import { jsonReading } from '../kit/json.ts'
import { serveSideThread } from '../kit/side-thread-inside.ts'

serveSideThread(
  byName([
    contrastCheck,
    convertTemplate,
    feedReading,
    htmlInspection,
    jsonReading,
    mjmlCompiling,
    rewriting,
    sourceWriting,
  ]),
)
