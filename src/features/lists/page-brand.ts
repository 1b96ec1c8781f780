// How a public page shows whose it is. Its logo is loaded from the host of the page's workspace.

import type { Config } from '../../core/config.ts'
import type { Page } from '../../kit/page.ts'
import { publicBase, withPicturesAt } from '../../people/links/base.ts'
import type { Workspace } from '../../people/workspaces.ts'

export function pageBrand({ config }: { config: Config }, workspace: Workspace): NonNullable<Page['brand']> {
  const { companyName, logoUrl, primaryColor: color } = workspace.brand
  const logo = logoUrl && withPicturesAt(config, publicBase(config, workspace), logoUrl)
  return { name: companyName ?? workspace.name, logoUrl: logo, color }
}
