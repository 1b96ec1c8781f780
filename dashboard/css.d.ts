// Style sheets, which the bundler takes out of the scripts.

declare module '*.css'
