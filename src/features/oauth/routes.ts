// All of OAuth: what clients read and call, the page for people, and the list of what they allowed.

import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { oauthClientRoutes } from './client-routes.ts'
import { oauthGrantRoutes } from './grant-routes.ts'
import { oauthMetadata } from './metadata.ts'
import { oauthPages } from './pages.ts'

export function oauthRoutes(app: App) {
  return new Elysia()
    .use(oauthMetadata(app))
    .use(oauthClientRoutes(app))
    .use(oauthPages(app))
    .use(oauthGrantRoutes(app))
}
