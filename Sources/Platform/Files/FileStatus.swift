import Foundation

/// The owner, kind and permissions of a file.
package struct FileStatus {
  private var facts = stat()

  /// Returns `nil` if the path leads nowhere. Links are followed.
  package init?(_ path: String) { if stat(path, &facts) != 0 { return nil } }

  /// Returns `nil` if there is nothing. A link counts as itself.
  package init?(ofLink path: String) { if lstat(path, &facts) != 0 { return nil } }

  package init?(of descriptor: Int32) { if fstat(descriptor, &facts) != 0 { return nil } }

  /// Returns `nil` if the folder has no such name. A link counts as itself.
  init?(of name: String, in folder: FileDescriptor) {
    if fstatat(folder.number, name, &facts, AT_SYMLINK_NOFOLLOW) != 0 { return nil }
  }

  /// The kind, such as `S_IFREG`.
  package var kind: mode_t { facts.st_mode & S_IFMT }
  package var isFolder: Bool { kind == S_IFDIR }
  package var isFile: Bool { kind == S_IFREG }
  var permissions: mode_t { facts.st_mode & 0o7777 }
  var inode: UInt64 { UInt64(facts.st_ino) }
  /// Size in bytes.
  package var size: Int { Int(facts.st_size) }
  /// Number of names.
  var linkCount: Int { Int(facts.st_nlink) }
  /// True if this user owns it.
  var isOwn: Bool { facts.st_uid == geteuid() }
  /// True if this user owns it and nobody else may read or write it.
  var isPrivate: Bool { isOwn && facts.st_mode & 0o077 == 0 }
}
