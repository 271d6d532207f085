/** A name that git takes for a new branch (git check-ref-format --branch), as one pattern so that schemas can show it. */
export const BRANCH_NAME =
  /^(?!-|\/|HEAD$|@$)(?!.*(?:\.\.|\/\/|@\{|\.lock(?:\/|$)))(?!(?:.*\/)?\.)[^\p{Cc}\p{Cs} ~^:?*[\\]+(?<![/.])$/u;
