/** Style sheets are files of the build. */
declare module '*.css'
