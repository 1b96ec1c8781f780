// What the Worker beside the main thread can do (lib/aside.ts): each work is defined by its feature, and listed here.

import { contrastCheck, htmlInspection } from './inspection/html-work.ts'
import { byName } from './lib/aside.ts'
import { jsonReading } from './lib/json.ts'
import { serveSideThread } from './lib/side-thread-inside.ts'
import { convertTemplate } from './moving/convert-template.ts'
import { rewriting } from './rendering/own-html/rewrite.ts'

serveSideThread(byName([contrastCheck, convertTemplate, htmlInspection, jsonReading, rewriting]))
